#!/usr/bin/env bash
# What an integrator does when somebody deletes the wrong task: it goes, its creative's name is taken meanwhile, the
# restore is refused and says by whom, the creative is renamed, and the task comes back whole.
#
#   ATELIER_URL=http://127.0.0.1:3000 ATELIER_TOKEN=atl_… bash docs/examples/restore.sh
#
# Needs bash, curl and node. Every step checks what it got and stops the script where that is not what it should be.
set -euo pipefail

url="${ATELIER_URL:-http://127.0.0.1:3000}/api/v1"
token="${ATELIER_TOKEN:?set ATELIER_TOKEN to a token with the scopes read and tasks:write}"

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

name="dry-run-$(date +%s)-$$"

echo "1. A task with a creative called $name"
call POST /tasks '{"name":"Dry run: the wrong one"}'
expect "$status" 200
task=$(pick data.id)
call POST "/tasks/$task/creatives" "{\"name\":\"$name\"}"
expect "$status" 200
creative=$(pick data.id)

echo "2. Somebody deletes the task; its creative goes with it and the name is free"
call DELETE "/tasks/$task"
expect "$status" 200

echo "3. Another task's creative takes the name"
call POST /tasks '{"name":"Dry run: the other one"}'
other=$(pick data.id)
call POST "/tasks/$other/creatives" "{\"name\":\"$name\"}"
expect "$status" 200
taker=$(pick data.id)

echo "4. The restore is refused, and says which creative has the name now"
call POST "/tasks/$task/restore"
expect "$status" 409
expect "$(pick code)" creative_name_taken
expect "$(pick 'conflicts[0].creative_id')" "$creative"
expect "$(pick 'conflicts[0].taken_by')" "$taker"

echo "5. The creative of the deleted task gets another name"
call PATCH "/creatives/$creative" "{\"name\":\"$name-b\"}"
expect "$status" 200

echo "6. The task comes back, with its creative"
call POST "/tasks/$task/restore"
expect "$status" 200
expect "$(pick data.deleted_at)" null
call GET "/tasks/$task/creatives"
expect "$(pick 'data.items[0].name')" "$name-b"

echo "7. Both tasks are cleared away again"
call DELETE "/tasks/$task"
expect "$status" 200
call DELETE "/tasks/$other"
expect "$status" 200
echo "done"
