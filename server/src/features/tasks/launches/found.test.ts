// Facts about the search of packs for creatives that were read by themselves, or were not found so.
import { expect, test } from 'vitest'
import { differs } from './found.ts'
import { between } from './lookup-store.ts'

const ending = { variedElements: '[]', ownerId: null, assigneeId: null }
const idOf = (pack: number, at: number): string => `${pack}`.padStart(18, '0') + `${at}`.padStart(18, '0')
const nameOf = (pack: number, at: number): string => `Creative "${at}" of ${pack}`
const textOf = (pack: number, at: number): string =>
  `{"id":"${idOf(pack, at)}","name":${JSON.stringify(nameOf(pack, at))},"ad_id":null`

/** Two packs of 1,000 creatives each, and which of them were looked into so far. */
function packs() {
  const seen: number[] = []
  const found = [1, 2].map((pack) => ({
    ...ending,
    taskId: `task ${pack}`,
    get texts() {
      seen.push(pack)
      return Array.from({ length: 1000 }, (_, at) => textOf(pack, at)).join(between)
    },
  }))
  return { seen, found, ofPacks: found.map(({ taskId }) => taskId) }
}

test('a name that nothing has is looked for in every pack, and other work may be done in between', async () => {
  const { seen, found, ofPacks } = packs()
  const searched = differs(ofPacks, found, { names: ['Nothing has this name'], ids: [], singles: [] })
  expect(seen).toEqual([1])
  expect(await searched).toBe(false)
  expect(seen).toEqual([1, 2])
})

test.each([0, 500, 999])(
  'a name or an id that was not found, and is in a pack at %i, makes the reads differ',
  async (at) => {
    const { found, ofPacks } = packs()
    const alone = { names: [], ids: [], singles: [] }
    expect(await differs(ofPacks, found, { ...alone, names: [nameOf(2, at)] })).toBe(true)
    expect(await differs(ofPacks, found, { ...alone, ids: [idOf(2, at)] })).toBe(true)
  },
)
