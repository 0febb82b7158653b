"""Makes the calls of a file with the Python client of openapi-generator; prints what it decoded, one call a line."""

import json
import re
import sys

import pydantic_mazed

base, calls = sys.argv[1:]
client = pydantic_mazed.ApiClient(pydantic_mazed.Configuration(host=base))
apis = [getattr(pydantic_mazed, name)(client) for name in dir(pydantic_mazed) if name.endswith("Api")]


def snake(name):
    return re.sub("(?<!^)([A-Z])", r"_\1", name).lower()


def call(operation, query, body, model):
    method = f"{snake(operation)}_with_http_info"
    api = next(api for api in apis if hasattr(api, method))
    arguments = {"var_from" if name == "from" else name: value for name, value in query.items()}
    if body is not None:
        arguments[snake(model)] = getattr(pydantic_mazed, model).from_dict(body)
    try:
        response = getattr(api, method)(**arguments)
        status, data, text = response.status_code, response.data, response.raw_data.decode()
    except pydantic_mazed.ApiException as problem:
        status, data, text = problem.status, problem.data, problem.body
    if data is None:
        return status, text or None
    return status, data.to_dict() if hasattr(data, "to_dict") else data


for each in json.load(open(calls)):
    status, body = call(each["operation"], each["query"], each["body"], each["model"])
    print(json.dumps({"status": status, "body": body}))
