// Facts about which form field is shown for a JSON Schema.
import { fileSchema } from '@atelier/contract/graph/definition.ts'
import { expect, test } from 'vitest'
import { anyText, fieldOf, fieldsOf, readAny, readJson, readJsonOrText } from './form-fields.ts'

const kindOf = (schema: unknown) => fieldOf('x', schema, false).kind

test('each kind of value has a control of its own', () => {
  expect(kindOf({ type: 'string', maxLength: 60 })).toBe('text')
  expect(kindOf({ type: 'string', 'x-atelier': 'template' })).toBe('multiline')
  expect(kindOf({ type: 'string', maxLength: 20_000 })).toBe('multiline')
  expect(kindOf({ type: 'string', 'x-atelier': 'code' })).toBe('code')
  expect(kindOf({ type: 'string', 'x-atelier': 'colour' })).toBe('colour')
  expect(kindOf({ type: 'string', 'x-atelier': 'model', 'x-models': { models: [], default: null } })).toBe('model')
  expect(kindOf({ type: 'string', 'x-atelier': 'table' })).toBe('table')
  expect(kindOf({ type: 'boolean' })).toBe('boolean')
  expect(kindOf({ type: 'string', enum: ['hero'], 'x-atelier': 'pictured' })).toBe('pictured')
  expect(kindOf(fileSchema)).toBe('file')
  expect(kindOf({ type: 'array', items: fileSchema })).toBe('files')
  expect(kindOf({ type: 'object' })).toBe('json')
  expect(kindOf({ type: 'array', items: { type: 'object' } })).toBe('json')
  expect(kindOf({})).toBe('any')
  expect(kindOf(true)).toBe('any')
})

test('numbers keep their bounds, choices their values, lists what they suggest', () => {
  expect(fieldOf('n', { type: 'integer', minimum: 1, maximum: 20 }, true)).toMatchObject({
    kind: 'number',
    whole: true,
    min: 1,
    max: 20,
    required: true,
  })
  expect(fieldOf('c', { enum: ['png', 2] }, false)).toMatchObject({
    options: [
      { value: 'png', label: 'png' },
      { value: 2, label: '2' },
    ],
  })
  expect(fieldOf('l', { type: 'array', items: { type: 'string', examples: ['1080x1350'] } }, false)).toMatchObject({
    kind: 'list',
    of: 'text',
    suggestions: ['1080x1350'],
  })
})

test('what may be nothing is entered like what else it may be', () => {
  expect(kindOf({ anyOf: [{ type: 'number' }, { type: 'null' }] })).toBe('number')
  expect(kindOf({ type: ['string', 'null'], maxLength: 10 })).toBe('text')
})

test('a member with a default need not be given, and one without a title is called by its name', () => {
  const [first, second] = fieldsOf({
    type: 'object',
    required: ['delay_ms', 'prompt'],
    properties: { delay_ms: { type: 'integer', default: 0 }, prompt: { type: 'string', title: 'Prompt' } },
  })
  expect(first).toMatchObject({ title: 'delay ms', required: false, fallback: 0 })
  expect(second).toMatchObject({ title: 'Prompt', required: true })
})

test('where anything may stand, JSON is read as what it says and text stays text', () => {
  expect(readAny('[1, 2]')).toEqual([1, 2])
  expect(readAny('hello {')).toBe('hello {')
  expect(readAny('"quoted"')).toBe('"quoted"')
  expect(readAny('  ')).toBeUndefined()
  expect(readAny('120210987654321098')).toBe('120210987654321098')
  expect(readAny('9007199254740991')).toBe(9007199254740991)
  expect(readAny('[120210987654321098]')).toBe('[120210987654321098]')
  expect(['19.90', '1e400', '1.0', '-0', '1e3'].map(readAny)).toEqual(['19.90', '1e400', '1.0', '-0', '1e3'])
  expect(readAny(' 19.9 ')).toBe(19.9)
  expect(readAny('[1e400, 19.90]')).toBe('[1e400, 19.90]')
  expect(readAny(anyText({ a: 1 }))).toEqual({ a: 1 })
})

test('JSON that cannot be read says so, and none is no value', () => {
  expect(readJson('{"a":')).toHaveProperty('problem')
  expect(readJson('')).toEqual({ value: undefined })
})

test('JSON with a number that has too many digits is refused by its name, and one that came from the service is not', () => {
  const problem = expect.stringContaining('23852150404470549 has too many digits')
  expect(readJson('{"a \\" 1": [1.25, 23852150404470549]}')).toEqual({ problem })
  expect(readJson('23852150404470549')).toEqual({ problem })
  expect(readJson('[-1e400]')).toHaveProperty('problem', expect.stringContaining('-1e400'))
  expect(readJson('["23852150404470549", "\\\\", -0, 1e21]')).toHaveProperty('value')
  const sent: unknown = { id: Number('120210987654321098'), most: 1e21 }
  expect(readJson(anyText(sent))).toEqual({ value: sent })
})

test('where JSON or a text may stand, a text needs no quotes, and an id keeps its digits', () => {
  expect(readJsonOrText(' ')).toEqual({ value: null })
  expect(readJsonOrText('https://example.com')).toEqual({ value: 'https://example.com' })
  expect(readJsonOrText('"quoted"')).toEqual({ value: 'quoted' })
  expect(readJsonOrText('12')).toEqual({ value: 12 })
  expect(readJsonOrText(' 19.90 ')).toEqual({ value: '19.90' })
  expect(readJsonOrText('19.9')).toEqual({ value: 19.9 })
  expect(readJsonOrText('23852150404470549')).toEqual({ value: '23852150404470549' })
  expect(readJsonOrText('{"id": 23852150404470549}')).toHaveProperty('problem')
})
