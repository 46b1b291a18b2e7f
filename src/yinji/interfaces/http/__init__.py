"""The HTTP door: `yinji serve`. It needs the extra ``serve``; only ``table`` and ``openapi`` do without."""
