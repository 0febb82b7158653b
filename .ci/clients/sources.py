"""Writes the calls as programs in Go and TypeScript, so that the compilers check the type of every argument."""

import json

GO = """package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"mazed"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func show(value interface{}, response *http.Response, err error) {
	var problem *mazed.GenericOpenAPIError
	if errors.As(err, &problem) && problem.Model() != nil {
		value = problem.Model()
	} else {
		check(err)
	}
	line, err := json.Marshal(map[string]interface{}{"status": response.StatusCode, "body": value})
	check(err)
	fmt.Println(string(line))
}

// showText shows an answer that has no type.
func showText(response *http.Response, err error) {
	check(err)
	text, err := io.ReadAll(response.Body)
	check(err)
	if len(text) > 0 {
		show(string(text), response, nil)
	} else {
		show(nil, response, nil)
	}
}

func main() {
	ctx := context.Background()
	configuration := mazed.NewConfiguration()
	configuration.Servers = mazed.ServerConfigurations{{URL: os.Args[1]}}
	client := mazed.NewAPIClient(configuration)
%s}
"""

TYPESCRIPT = """import createClient from "openapi-fetch";
import type { components, paths } from "./mazed.js";

type Schemas = components["schemas"];
const client = createClient<paths>({ baseUrl: process.argv[2] });

function show(body: unknown, response: Response) {
  console.log(JSON.stringify({ status: response.status, body: body ?? null }));
}

%s"""


def camel(name):
    return "".join(part[0].upper() + part[1:] for part in name.split("_"))


def go(calls):
    lines = []
    for call in calls:
        setters = [f".{camel(name)}({json.dumps(value)})" for name, value in call["query"].items()]
        lines.append("{")
        if call["model"]:
            text = json.dumps(json.dumps(call["body"]))
            lines += [f"var body mazed.{call['model']}", f"check(json.Unmarshal([]byte({text}), &body))"]
            setters = [f".{call['model']}(body)"]
        request = f"client.{camel(call['tag'])}API.{camel(call['operation'])}(ctx){''.join(setters)}.Execute()"
        if call["type"]:
            lines += [f"value, response, err := {request}", "show(value, response, err)"]
        else:
            lines.append(f"showText({request})")
        lines.append("}")
    return GO % "".join(f"{line}\n" for line in lines)


def typescript(calls):
    lines = []
    for call in calls:
        options = {}
        if call["query"]:
            options["params"] = {"query": call["query"]}
        if call["body"] is not None:
            options["body"] = call["body"]
        if not call["media_type"].endswith("json"):
            options["parseAs"] = "text"
        kind = {None: "unknown", "string": "string"}.get(call["type"], f'Schemas["{call["type"]}"]')
        lines += [
            "{",
            f'const answer = await client.{call["method"].upper()}("{call["path"]}", {json.dumps(options)});',
            f"const value: {kind} | undefined = answer.data;",
            'const problem: Schemas["Problem"] | Schemas["ParameterProblem"] | undefined = answer.error;',
            "show(value ?? problem, answer.response);",
            "}",
        ]
    return TYPESCRIPT % "".join(f"{line}\n" for line in lines)
