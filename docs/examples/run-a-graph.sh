#!/usr/bin/env bash
# From a task to files on its card, over the API alone: a graph is made and started, its run asks which picture is to go
# on, one of the pictures is rolled again, the question is answered, and what comes of it becomes creatives of the task.
#
#   ATELIER_URL=http://127.0.0.1:3000 ATELIER_TOKEN=atl_… bash docs/examples/run-a-graph.sh
#
# Needs bash, curl and node. Every step checks what it got and stops the script where that is not what it should be.
# Nothing is paid for: the pictures are samples, drawn by the service itself.
set -euo pipefail

url="${ATELIER_URL:-http://127.0.0.1:3000}/api/v1"
token="${ATELIER_TOKEN:?set ATELIER_TOKEN to a token with the scopes read, tasks:write, graphs:write and runs:write}"

# call METHOD PATH [BODY]: sets $status and $body
call() {
  local answer
  answer=$(curl --silent --show-error --request "$1" "$url$2" --header "Authorization: Bearer $token" \
    ${3:+--header 'Content-Type: application/json' --data "$3"} --write-out '\n%{http_code}')
  status=${answer##*$'\n'}
  body=${answer%$'\n'*}
}

# pick EXPRESSION: a part of $body, e.g. data.id
pick() { node -e 'const it = JSON.parse(process.argv[1]); process.stdout.write(String(eval("it." + process.argv[2])))' "$body" "$1"; }

expect() {
  if [ "$1" != "$2" ]; then
    echo "expected $2, got $1: $body" >&2
    exit 1
  fi
}

# wait_for RUN STATUS: reads the run until it has that status; a minute at most
wait_for() {
  local left=300
  while call GET "/runs/$1"; [ "$(pick data.status)" != "$2" ]; do
    left=$((left - 1))
    case "$left/$(pick data.status)" in
      0/* | */failed | */cancelled) expect "$(pick data.status): $(pick data.error)" "$2" ;;
    esac
    sleep 0.2
  done
}

echo "1. A task"
call POST /tasks '{"name":"Dry run: a static from a graph"}'
expect "$status" 200
task=$(pick data.id)

echo "2. A graph: four pictures, one of them picked, and an ad of it in two sizes"
call POST /graphs '{
  "name": "Dry run",
  "definition": {
    "schema": 1,
    "nodes": {
      "ideas": { "type": "input.text", "version": 1,
        "params": { "value": "Blue moonlight\nMorning light\nAn open window\nThe cool side" } },
      "scenes": { "type": "text.split", "version": 1 },
      "pictures": { "type": "sample.image", "version": 1, "each": ["scene"],
        "params": { "prompt": "{{ scene }}", "words": false, "width": 540, "height": 675 } },
      "choice": { "type": "gate.choose", "version": 1, "params": { "title": "Which picture goes on?" } },
      "ads": { "type": "layout.render", "version": 1,
        "params": { "placements": ["1080x1350", "300x250"], "brand": "Quiltern" },
        "inputs": { "headline": "Stop flipping the pillow", "action": "Sleep cooler" } }
    },
    "edges": [
      { "from": { "node": "ideas", "port": "text" }, "to": { "node": "scenes", "port": "text" } },
      { "from": { "node": "scenes", "port": "parts" }, "to": { "node": "pictures", "port": "scene" } },
      { "from": { "node": "pictures", "port": "image" }, "to": { "node": "choice", "port": "options" } },
      { "from": { "node": "choice", "port": "first" }, "to": { "node": "ads", "port": "image" } }
    ]
  }
}'
expect "$status" 200
expect "$(pick errors)" null
graph=$(pick data.id)

echo "3. A run of it for the task, started at once"
call POST "/graphs/$graph/runs" "{\"task_id\":\"$task\",\"pinned_task_id\":\"$task\",\"execute\":true}"
expect "$status" 200
run=$(pick data.id)

echo "4. It asks which picture is to go on"
wait_for "$run" awaiting_input
expect "$(pick data.pending_input.node_id)" choice
expect "$(pick data.pending_input.request.options.length)" 4
second=$(pick 'data.pending_input.request.options[1].digest')
third=$(pick 'data.pending_input.request.options[2].digest')

echo "5. The third picture is rolled again; the others stay, and nothing is paid for them"
call POST "/runs/$run/start" '{"regenerate":[{"node_id":"pictures","item":2}]}'
expect "$status" 200
wait_for "$run" awaiting_input
expect "$(pick 'data.pending_input.request.options[1].digest')" "$second"
if [ "$(pick 'data.pending_input.request.options[2].digest')" = "$third" ]; then
  expect "the same picture" "another picture"
fi
expect "$(pick data.credits_consumed)" 1

echo "6. The new one is picked, and the run goes on to its end"
call POST "/runs/$run/answers" '{"node_id":"choice","answer":{"selected":[2]}}'
expect "$status" 200
wait_for "$run" succeeded

echo "7. Both sizes are put on the card"
call POST "/runs/$run/export" '{"outputs":[{"node_id":"ads","port":"images"}]}'
expect "$status" 200
expect "$(pick data.exported_creatives.length)" 2
call GET "/tasks/$task/creatives"
expect "$(pick 'data.items.length')" 2
for at in 0 1; do
  file=$(pick "data.items[$at].file")
  bytes=$(curl --silent --show-error --fail "$url/files/$file" --header "Authorization: Bearer $token" | wc -c)
  echo "   $(pick "data.items[$at].name"): $((bytes)) bytes"
done

echo "8. Task, run and graph are cleared away again"
call DELETE "/tasks/$task"
expect "$status" 200
call DELETE "/runs/$run"
expect "$status" 200
call DELETE "/graphs/$graph"
expect "$status" 200
echo "done"
