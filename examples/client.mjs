// One round of a game, for its backend: picks a level, places chests, gives a hint, checks the player's path.
//
// client.mjs [BASE_URL]
const base = process.argv[2] ?? "http://localhost:8080";

async function send(url, options) {
  const response = await fetch(url, options);
  const body = await response.json();
  // a problem document says what is wrong and how to correct it
  if (!response.ok) throw new Error(body.detail);
  return body;
}

const get = (route, parameters, recipe = "") => send(`${base}${route}?${recipe}&${new URLSearchParams(parameters)}`);

const post = (route, fields) =>
  send(base + route, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(fields),
  });

const picked = await get("/maze/pick", { algo: "dfs", size: 15, seed: "cave", difficulty: 0.2 });
const { recipe } = picked; // all that the backend stores
console.log("seed", picked.seed, "difficulty", picked.difficulty);

const level = await get("/maze", { grid: "rows", path: "moves" }, recipe);
const { spawns: chests } = await get("/maze/spawns", { count: 3, kind: "dead_end" }, recipe);
const rows = level.rows.map((row) => [...row]);
const signs = [[level.start, "S"], [level.exit, "E"], ...chests.map((chest) => [chest, "$"])];
for (const [[x, y], sign] of signs) rows[y][x] = sign;
console.log(rows.map((row) => row.join("")).join("\n"));

const hint = await get("/maze/path", { from: chests[0].join(), path: "none" }, recipe);
console.log("from the first chest step to", ...hint.next, "steps to the exit", hint.length);

for (const moves of [level.solution.moves, "U"]) {
  const result = await post("/maze/verify", { recipe, moves });
  console.log(result.reaches_exit ? "reaches the exit" : result.first_error.reason);
}
