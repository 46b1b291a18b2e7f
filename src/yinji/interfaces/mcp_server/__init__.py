"""Yinji as an MCP server: the same operations as everywhere, offered to a model as tools (SPEC S3)."""
