# The commands that CI also runs. `just` lists them.

python := ".venv/bin/python"

default:
    @just --list

# run the tests
test *arguments:
    {{python}} -m pytest {{arguments}}

# make up more requests from the OpenAPI document than the tests do, elsewhere each time
fuzz examples="2000":
    YINJI_FUZZ={{examples}} {{python}} -m pytest tests/interfaces/http/test_openapi.py -k could_make

# the official conformance suite of MCP (Node 22 and the npm registry)
conformance *arguments:
    {{python}} -m tests.mcp_conformance {{arguments}}

# lint and check the formatting
lint:
    {{python}} -m ruff check .
    {{python}} -m ruff format --check .

# check the types
types:
    {{python}} -m mypy

# check the layers
imports:
    .venv/bin/lint-imports

# write docs/reference from the code
reference:
    {{python}} scripts/reference.py

# measure quality: just eval retrieval PATH
eval name data *arguments:
    {{python}} -m yinji eval {{name}} --data {{data}} {{arguments}}

# measure speed and size on this machine
bench *arguments:
    {{python}} -m yinji bench {{arguments}}
