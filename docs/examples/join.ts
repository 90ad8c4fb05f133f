// An example of the lookup for integrators: joins the costs of ads with facts about their creatives. See docs/integrating.md.
//   ATELIER_TOKEN=atl_… node docs/examples/join.ts [performance.csv]      (Node.js 24)
import { readFileSync } from 'node:fs'
import { createClient } from '@atelier/contract/wire/client.ts'

const { ATELIER_URL: url = 'http://127.0.0.1:3000', ATELIER_TOKEN: token = '' } = process.env
const file = process.argv[2] ?? new URL('performance.csv', import.meta.url)
const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1)
const ads = lines.map((line) => line.split(',')).map(([ad_id, name, spend, clicks]) => ({ ad_id, name, spend, clicks }))

const body = {
  names: ads.flatMap(({ ad_id, name }) => (!ad_id && name ? [name] : [])),
  ad_ids: ads.flatMap(({ ad_id }) => (ad_id ? [ad_id] : [])),
}
const rows = await createClient({ url, token }).call('lookupCreatives', { body })
const found = new Map(rows.map(({ query, handle, creatives }) => [`${handle} ${query}`, creatives]))

const distinct = (values: (string | null | undefined)[]) => [...new Set(values.filter(Boolean))].join('/') || '–'
process.stdout.write('ad\tspend\tclicks\tcreatives\thook_type\tad_format\tmade by\n')
for (const { ad_id, name, spend, clicks } of ads) {
  const creatives = found.get(ad_id ? `ad_id ${ad_id}` : `name ${name}`) ?? []
  const hooks = distinct(creatives.map(({ hook_type }) => hook_type))
  const formats = distinct(creatives.map(({ ad_format }) => ad_format))
  const people = distinct(creatives.map(({ assignee }) => assignee?.initials))
  const cells = [ad_id || name, spend, clicks, creatives.length, hooks, formats, people]
  process.stdout.write(`${cells.join('\t')}\n`)
}
