"""Checks that generated clients send every request and decode every answer.

`call.py prepare BASE WORK` writes to the folder WORK every call with the answer of the service at BASE, and programs
that make the calls. `call.py compare WORK CLIENT OUTPUT` compares these answers with the lines that the program of a
client printed: {"status": ..., "body": ...} for each call, the body as the client decoded it."""

import json
import pathlib
import sys
import urllib.error
import urllib.parse
import urllib.request

import sources


def fail(message):
    sys.exit(f"generated-clients: {message}")


def ask(base, method, path, query=(), body=None):
    """The status and the body of an answer, read without a generated client."""
    query = {name: json.dumps(value) if isinstance(value, bool) else value for name, value in dict(query).items()}
    target = f"{base}{path}?{urllib.parse.urlencode(query)}".rstrip("?")
    headers, sent = {}, None
    if body is not None:
        headers, sent = {"content-type": "application/json"}, json.dumps(body).encode()
    try:
        request = urllib.request.Request(target, data=sent, method=method.upper(), headers=headers)
        response = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as problem:
        response = problem
    text = response.read().decode()
    if text and response.headers["content-type"].endswith("json"):
        return response.status, json.loads(text)
    return response.status, text or None


def schema_name(schema):
    return schema["$ref"].rsplit("/", 1)[1] if "$ref" in schema else schema.get("type")


def fields(document, schema):
    """The names of the fields of a schema, those of the schemas that it builds on included."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema_name(schema)]
    return set(schema.get("properties", {})).union(*(fields(document, part) for part in schema.get("allOf", [])))


def read_operations(document):
    """What each operation takes and gives, by its name."""

    def component(reference):
        kind, name = reference["$ref"].split("/")[2:]
        return document["components"][kind][name]

    found = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            answer = component(operation["responses"]["200"]).get("content", {"": {}})
            media_type, media = next(iter(answer.items()))
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            parameters = map(component, operation.get("parameters", []))
            found[operation["operationId"]] = {
                "call": {
                    "path": path,
                    "method": method,
                    "tag": operation["tags"][0],
                    "media_type": media_type,
                    "type": schema_name(media.get("schema", {})),
                    "model": schema_name(body),
                },
                "query": {each["name"] for each in parameters if each["in"] == "query"},
                "body": fields(document, body),
            }
    return found


def every_call(document, operations):
    """The calls of the file, a level by each algorithm, and HEAD wherever there is a call of GET."""
    calls = json.loads(pathlib.Path(__file__).with_name("calls.json").read_text())
    for algorithm in document["components"]["schemas"]["Algorithm"]["enum"]:
        calls.append({"operation": "getMaze", "query": {"algo": algorithm, "size": 21, "seed": "7"}})
    heads = {each["call"]["path"]: name for name, each in operations.items() if each["call"]["method"] == "head"}
    for call in list(calls):
        operation = operations.get(call["operation"]) or fail(f"there is no operation {call['operation']}")
        if operation["call"]["method"] == "get" and operation["call"]["path"] in heads:
            calls.append({"operation": heads.pop(operation["call"]["path"]), "query": call.get("query", {})})
    defaults = {"query": {}, "body": None, "status": 200, "varies": False}
    return [{**defaults, **call, **operations[call["operation"]]["call"]} for call in calls]


def check_coverage(operations, calls):
    """Each operation, each parameter and each field of a body occurs in a call that succeeds."""
    good = [call for call in calls if call["status"] == 200]
    for name in sorted(operations.keys() - {call["operation"] for call in good}):
        fail(f"calls.json has no call of {name}")
    for kind in ("query", "body"):
        used = set().union(*(call[kind] or {} for call in good))
        for name in sorted(set().union(*(operation[kind] for operation in operations.values())) - used):
            fail(f"calls.json has no call with {name} in its {kind}")


def prepare(base, work):
    document = ask(base, "get", "/openapi.json")[1]
    operations = read_operations(document)
    calls = every_call(document, operations)
    check_coverage(operations, calls)
    for call in calls:
        status, call["answer"] = ask(base, call["method"], call["path"], call["query"], call["body"])
        if status != call["status"]:
            fail(f"{call['operation']} {call['query'] or call['body']} gets {status}: {call['answer']}")
    (work / "calls.json").write_text(json.dumps(calls))
    (work / "main.go").write_text(sources.go(calls))
    (work / "main.ts").write_text(sources.typescript(calls))


def compare(work, client, output):
    calls = json.loads((work / "calls.json").read_text())
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    if len(lines) != len(calls):
        fail(f"{client} made {len(lines)} of {len(calls)} calls")
    for call, line in zip(calls, lines):
        # of an answer that is never the same only the type is compared
        is_same = type(line["body"]) is type(call["answer"]) if call["varies"] else line["body"] == call["answer"]
        if line["status"] != call["status"] or not is_same:
            what = f"{call['operation']} {call['query'] or call['body']}"
            fail(f"{client}: {what} gets {call['status']}\n{call['answer']}\nand reads\n{line}")
    print(f"{client}: {len(calls)} calls of {len({call['operation'] for call in calls})} operations")


if sys.argv[1] == "prepare":
    prepare(sys.argv[2], pathlib.Path(sys.argv[3]))
else:
    compare(pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4]))
