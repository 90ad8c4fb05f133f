// In charge of the creative lookup: a row for each handle in the order asked, each creative's text built once.
import { Invalid } from '@atelier/contract/errors.ts'
import { initials } from '@atelier/contract/fold.ts'
import type { CreativeLookup } from '@atelier/contract/launches.ts'
import type { Database } from '../../platform/db.ts'
import { type Found, mostCreatives, readCreatives, readLaunched, readNames, readPacks } from './lookup-store.ts'

/** The answer as parts of JSON text: a batch may name the same large pack many times over. */
export async function lookUp(
  database: Database,
  { names = [], ad_ids: adIds = [] }: CreativeLookup,
): Promise<Iterable<string>> {
  const launched = await readLaunched(database, [...new Set(adIds)])
  if (launched.length > mostCreatives) throw tooMany()
  const found = await readCreatives(database, [...new Set(names)], [...new Set(launched.map(({ id }) => id))])
  const texts = await completeTexts(database, found)

  const byName = new Map(found.map(({ name }, place) => [name, texts.slice(place, place + 1)]))
  const placeOf = new Map(found.map(({ id }, place) => [id, place]))
  // In the order of their places, which is by age.
  const placed = launched.flatMap(({ adId, id }) => {
    const place = placeOf.get(id)
    return place === undefined ? [] : [{ adId, place }]
  })
  placed.sort((a, b) => a.place - b.place)
  const byAdId = Map.groupBy(placed, ({ adId }) => adId)
  const textsOf = (adId: string) => (byAdId.get(adId) ?? []).flatMap(({ place }) => texts[place] ?? [])

  return partsOf([
    ...names.map((name) => () => ({ query: name, handle: 'name' as const, texts: byName.get(name) ?? [] })),
    ...adIds.map((adId) => () => ({ query: adId, handle: 'ad_id' as const, texts: textsOf(adId) })),
  ])
}

type Line = { query: string; handle: 'name' | 'ad_id'; texts: string[] }

/** A bare array of rows; each row is put together when it is its turn. */
function* partsOf(rows: (() => Line)[]): Generator<string> {
  yield '['
  for (const [place, row] of rows.entries()) {
    const { query, handle, texts } = row()
    yield `${place === 0 ? '' : ','}{"query":${JSON.stringify(query)},"handle":"${handle}","creatives":[`
    for (const [at, text] of texts.entries()) yield at === 0 ? text : `,${text}`
    yield ']}'
  }
  yield ']'
}

/** Each creative's CreativeRef, with what pack and directory add. */
async function completeTexts(database: Database, found: Found[]): Promise<string[]> {
  const packs = await readPacks(database, [...new Set(found.map(({ taskId }) => taskId))])
  const peopleOf = ({ taskId, assigneeId, ownerId }: Found) => {
    const pack = packs.get(taskId)
    return { assignee: assigneeId ?? pack?.assigneeId ?? null, owner: ownerId ?? pack?.ownerId ?? null }
  }
  const ids = new Set(found.flatMap((creative) => Object.values(peopleOf(creative)).filter((id) => id !== null)))
  const names = await readNames(database, [...ids])
  const people = new Map([...ids].map((id) => [id, personText(names.get(id))]))
  const person = (id: string | null) => (id === null ? 'null' : (people.get(id) ?? 'null'))

  return found.map((creative) => {
    const { assignee, owner } = peopleOf(creative)
    const variedElements = packs.get(creative.taskId)?.variedElements ?? '[]'
    const added = `"varied_elements":${variedElements},"task_owner":${person(owner)},"assignee":${person(assignee)}`
    return `${creative.text.slice(0, -1)},${added}}`
  })
}

/** An unknown person is null; a former one keeps the name. */
const personText = (name: string | null | undefined): string =>
  name === undefined ? 'null' : JSON.stringify({ name, initials: initials(name) })

const tooMany = () =>
  new Invalid([
    {
      type: 'value_error',
      loc: ['body', 'ad_ids'],
      msg: `Value error, these campaign ids resolve to more than ${mostCreatives} creatives; ask for fewer at a time`,
      ctx: { error: {} },
    },
  ])
