#!/usr/bin/env bash
# What an integrator does with the lookup: joins what ads cost with what their creatives are. See docs/integrating.md.
#
#   ATELIER_URL=http://127.0.0.1:3000 ATELIER_TOKEN=atl_… bash docs/examples/join.sh [performance.csv]
#
# Needs bash, curl and node (any version; it stands in for your own language). join.ts is the same with the typed client.
set -euo pipefail

url="${ATELIER_URL:-http://127.0.0.1:3000}/api/v1/integrations/creative-tests/creatives/lookup"
token="${ATELIER_TOKEN:?set ATELIER_TOKEN to a token with the scope creatives:lookup}"
csv="${1:-$(dirname "$0")/performance.csv}"

# 1. The handles: an ad by its campaign id, or else by the creative's name
body=$(node -e '
  const ads = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").slice(1).map((it) => it.split(","))
  console.log(JSON.stringify({
    names: ads.filter(([ad_id, name]) => !ad_id && name).map(([, name]) => name),
    ad_ids: ads.filter(([ad_id]) => ad_id).map(([ad_id]) => ad_id),
  }))' "$csv")

# 2. One request for all of them (500 names and 500 ad_ids at most)
answer=$(curl --fail-with-body --silent --show-error --request POST "$url" --header "Authorization: Bearer $token" \
  --header 'Content-Type: application/json' --data "$body") || { echo "$answer" >&2; exit 1; }

# 3. A row came back for each handle; join them
printf '%s' "$answer" | node -e '
  const { readFileSync } = require("fs")
  const ads = readFileSync(process.argv[1], "utf8").trim().split("\n").slice(1).map((it) => it.split(","))
  const rows = JSON.parse(readFileSync(0, "utf8"))
  const found = new Map(rows.map((row) => [row.handle + " " + row.query, row.creatives]))
  const distinct = (values) => [...new Set(values.filter(Boolean))].join("/") || "–"
  console.log("ad\tspend\tclicks\tcreatives\thook_type\tad_format\tmade by")
  for (const [ad_id, name, spend, clicks] of ads) {
    const creatives = found.get(ad_id ? "ad_id " + ad_id : "name " + name) || []
    const of = (member) => distinct(creatives.map(member))
    console.log([ad_id || name, spend, clicks, creatives.length, of((it) => it.hook_type), of((it) => it.ad_format),
      of((it) => it.assignee && it.assignee.initials)].join("\t"))
  }' "$csv"
