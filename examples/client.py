"""One round of a game, for its backend: picks a level, places chests, gives a hint, checks the player's path.

client.py [BASE_URL]
"""
import json
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

BASE = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080"


def send(request):
    try:
        with urlopen(request) as response:
            return json.load(response)
    except HTTPError as error:
        # a problem document says what is wrong and how to correct it
        raise SystemExit(json.load(error)["detail"])


def get(route, recipe="", **parameters):
    return send(f"{BASE}{route}?{recipe}&{urlencode(parameters)}")


def post(route, **fields):
    headers = {"Content-Type": "application/json"}
    return send(Request(BASE + route, json.dumps(fields).encode(), headers))


picked = get("/maze/pick", algo="dfs", size=15, seed="cave", difficulty=0.2)
recipe = picked["recipe"]  # all that the backend stores
print("seed", picked["seed"], "difficulty", picked["difficulty"])

level = get("/maze", recipe, grid="rows", path="moves")
chests = get("/maze/spawns", recipe, count=3, kind="dead_end")["spawns"]
rows = [list(row) for row in level["rows"]]
for [x, y], sign in [(level["start"], "S"), (level["exit"], "E"), *((chest, "$") for chest in chests)]:
    rows[y][x] = sign
print("\n".join("".join(row) for row in rows))

x, y = chests[0]
hint = get("/maze/path", recipe, **{"from": f"{x},{y}"}, path="none")
print("from the first chest step to", hint["next"][0], hint["next"][1], "steps to the exit", hint["length"])

for moves in [level["solution"]["moves"], "U"]:
    result = post("/maze/verify", recipe=recipe, moves=moves)
    print("reaches the exit" if result["reaches_exit"] else result["first_error"]["reason"])
