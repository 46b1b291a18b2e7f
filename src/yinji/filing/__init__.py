"""What programs keep here under names of their own, apart from memories (yinji.document)."""
