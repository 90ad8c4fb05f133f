// Facts about reading variants from a pasted sheet: which variant a row makes or changes, and which problems are reported.
import { expect, test } from 'vitest'
import { nextVariant } from './variant-list.ts'
import { readVariantSheet } from './variant-sheet.ts'

const known = {
  MessagingAngle: [
    { value: 'PROBLEM', label: 'Problem first' },
    { value: 'PROOF', label: 'Proof' },
  ],
  HookType: [{ value: 'QUESTION', label: 'Question' }],
}
const first = nextVariant([])
const read = (sheet: string, variants = [first]) => readVariantSheet(sheet, variants, known)
const sheet = (...rows: string[][]) => rows.map((cells) => cells.join('\t')).join('\n')

test('a row makes a variant, by labels or values, with the next number and a key where none is given', () => {
  const reading = read(
    sheet(['Angle', 'hook type', 'Audience', 'Tags'], ['problem first', 'Question', 'Commuters', 'a, b'], ['PROOF']),
  )
  expect(reading).toMatchObject({ added: 2, changed: 0, problems: [] })
  expect(reading.next.slice(1)).toMatchObject([
    {
      key: 'v2',
      variation_num: 2,
      messaging_angle: 'PROBLEM',
      hook_type: 'QUESTION',
      audience: 'Commuters',
      tag_slugs: ['a', 'b'],
    },
    { key: 'v3', variation_num: 3, messaging_angle: 'PROOF', hook_type: null },
  ])
})

test('a row with a key or a number that is there changes that variant, and empty cells change nothing', () => {
  const given = [{ ...first, audience: 'Parents', notes: 'keep' }]
  const byKey = read(sheet(['Key', 'Audience', 'Notes'], ['v1', 'Commuters', '']), given)
  expect(byKey).toMatchObject({ added: 0, changed: 1, next: [{ audience: 'Commuters', notes: 'keep' }] })
  const byNumber = read(sheet(['#', 'Audience'], ['V1', 'Commuters']), given)
  expect(byNumber.next).toEqual(byKey.next)
  expect(read(sheet(['Key', 'Audience'], ['v1', 'Parents']), given)).toMatchObject({ added: 0, changed: 0 })
})

test('what does not fit is left out and named, and the rest is taken', () => {
  const reading = read(sheet(['Key', 'Angle', 'Budget'], ['a', 'Nonsense', '5'], ['b', 'Proof', '']))
  expect(reading).toMatchObject({ added: 2, next: [first, { key: 'a', messaging_angle: null }, { key: 'b' }] })
  expect(reading.problems).toEqual([
    expect.stringMatching(/^Column “Budget” is left out/),
    'Row 2, Angle: “Nonsense” is not in the list, and is left out.',
  ])
  const numbers = read(sheet(['Key', 'Number'], ['a', '1'], ['b', 'two'], ['c', '20000']))
  expect(numbers).toMatchObject({ added: 0, next: [first] })
  expect(numbers.problems).toHaveLength(3)
})

test('a sheet without names of columns makes nothing, nor does more than a task takes', () => {
  expect(read('Proof\tQuestion\nProof\tQuestion')).toMatchObject({
    added: 0,
    problems: [expect.stringMatching(/^The first row must name/)],
  })
  const many = read(sheet(['Audience', 'Notes'], ...Array.from({ length: 150 }, (_, at) => [`Group ${at}`, 'x'])))
  expect(many).toMatchObject({ added: 99 })
  expect(many.problems).toHaveLength(51)
})

test('the same sheet twice changes nothing the second time', () => {
  const pasted = sheet(['Key', 'Angle'], ['hero', 'Proof'], ['other', 'Problem first'])
  const { next } = read(pasted)
  expect(read(pasted, next)).toMatchObject({ added: 0, changed: 0, next })
})
