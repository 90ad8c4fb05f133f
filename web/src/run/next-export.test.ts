// Facts about which files are chosen when a run has more files than one export request accepts.
import { RunExport } from '@atelier/contract/exports.ts'
import { expect, test } from 'vitest'
import { atOnce, nextExport } from './next-export.ts'
import type { Output } from './outputs.ts'

const file = { digest: 'a'.repeat(64), media_type: 'image/png', size: 1, name: null }
const outputs = Array.from(
  { length: 1_200 },
  (_, item): Output => ({ key: `many ${item}`, node: 'many', port: 'list', item, index: null, file }),
)
/** Chooses as on a card that has the files with these indexes already, and records how many files each request was about. */
async function chosen(isThere: (item: number) => boolean): Promise<{ items: (number | null)[]; asked: number[] }> {
  const asked: number[] = []
  const found = await nextExport(outputs, async (some) => {
    asked.push(some.length)
    return some.map(({ node, port, item }) => ({
      ...{ node_id: node, port, item, index: null },
      creative_id: isThere(item ?? 0) ? 'there' : null,
    }))
  })
  return { items: found.map(({ item }) => item), asked }
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

test('one request is about as many files as the service accepts', () => {
  expect(RunExport.properties.outputs).toMatchObject({ maxItems: atOnce })
})

test('the first 500 are chosen, and after each export the next ones, until all are on the card', async () => {
  expect(await chosen(() => false)).toEqual({ items: range(0, 500), asked: [500] })
  expect((await chosen((item) => item < 500)).items).toEqual(range(500, 1_000))
  expect((await chosen((item) => item < 1_000)).items).toEqual(range(1_000, 1_200))
  expect(await chosen(() => true)).toEqual({ items: [], asked: [500, 500, 200] })
})

test('files in between that are on the card already are passed over', async () => {
  const { items, asked } = await chosen((item) => item % 2 === 0)
  expect(items).toEqual(range(0, 500).map((index) => 2 * index + 1))
  expect(asked).toEqual([500, 500])
})
