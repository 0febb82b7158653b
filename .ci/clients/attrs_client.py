"""Makes the calls of a file with the client of openapi-python-client; prints what it decoded, one call a line."""

import enum
import importlib
import json
import pkgutil
import re
import sys
import typing

from attrs_mazed import Client, api

base, calls = sys.argv[1:]
client = Client(base_url=base)
# the module of each operation
modules = {}
for tag in pkgutil.iter_modules(api.__path__, f"{api.__name__}."):
    for operation in pkgutil.iter_modules(importlib.import_module(tag.name).__path__, f"{tag.name}."):
        modules[operation.name.rsplit(".", 1)[1]] = operation.name


def call(operation, query, body):
    module = importlib.import_module(modules[re.sub("([A-Z])", r"_\1", operation).lower()])
    types = typing.get_type_hints(module.sync_detailed)
    arguments = {}
    for name, value in query.items():
        name = name if name in types else f"{name}_"
        enums = [t for t in typing.get_args(types[name]) if isinstance(t, type) and issubclass(t, enum.Enum)]
        arguments[name] = enums[0](value) if enums else value
    if body is not None:
        # a body that may be left out has a union as its type
        model = next(iter(typing.get_args(types["body"])), types["body"])
        arguments["body"] = model.from_dict(body)
    response = module.sync_detailed(client=client, **arguments)
    parsed = response.parsed
    if parsed is None and response.content:
        parsed = response.content.decode()
    return int(response.status_code), parsed.to_dict() if hasattr(parsed, "to_dict") else parsed


for each in json.load(open(calls)):
    status, body = call(each["operation"], each["query"], each["body"])
    print(json.dumps({"status": status, "body": body}))
