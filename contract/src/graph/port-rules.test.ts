// Facts about ports: which JSON Schemas are compatible, and how an incompatible pair of ports is described.
import { describe, expect, test } from 'vitest'
import { fileSchema } from './definition.ts'
import { listOf, type PortSchema, portProblem } from './port-rules.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const number = { type: 'number' }
const file = { ...fileSchema }
const texts = { type: 'array', items: text }
const tones = { type: 'string', enum: ['calm', 'loud'] }
const row = { type: 'object', required: ['name'], properties: { name: text } }

describe('fits', () => {
  test.each<[string, PortSchema, PortSchema]>([
    ['the same', text, text],
    ['anything to all', {}, file],
    ['all to anything', file, {}],
    ['a schema that is true', true, text],
    ['whole numbers where numbers are', integer, number],
    ['one of a union', text, { anyOf: [integer, text] }],
    ['a union within a larger one', { type: ['string', 'null'] }, { type: ['null', 'string', 'boolean'] }],
    ['lists of what fits', { type: 'array', items: integer }, { type: 'array', items: number }],
    ['lists of anything', { type: 'array' }, texts],
    ['fewer values of an enumeration', { const: 'calm' }, tones],
    ['values where any text goes', tones, text],
    ['a whole number among values, where numbers go', { enum: [1, 2] }, number],
    ['an object that may have the member', { type: 'object' }, row],
    ['an object that has it', { ...row, additionalProperties: false }, row],
    ['an object of which less is asked', row, { type: 'object' }],
    ['a schema without a type that names members', { properties: { name: text } }, row],
    ['files', file, { 'x-atelier': 'file' }],
    ['lists of files', { type: 'array', items: file }, listOf(file)],
    [
      'lengths and patterns, which are left to the run',
      { type: 'string', maxLength: 9 },
      { type: 'string', minLength: 10 },
    ],
  ])('%s', (_name, from, to) => {
    expect(portProblem(from, to)).toBeNull()
  })
})

describe('does not fit', () => {
  test.each<[PortSchema, PortSchema, string]>([
    [text, number, 'it gives text, and a number is asked for'],
    [number, integer, 'it gives a number, and a whole number is asked for'],
    [{ type: ['string', 'null'] }, text, 'it gives text or nothing, and text is asked for'],
    [text, texts, 'it gives text, and a list of texts is asked for'],
    [texts, { type: 'array', items: number }, 'it gives a list of texts, and a list of numbers is asked for'],
    [
      texts,
      text,
      'it gives a list of texts, and text is asked for; to run once for each element, name the port in `each`',
    ],
    [
      { type: 'array' },
      file,
      'it gives a list, and a file is asked for; to run once for each element, name the port in `each`',
    ],
    [text, tones, 'it gives text, and one of "calm", "loud" is asked for'],
    [{ enum: ['calm', 'wild'] }, tones, 'it gives one of "calm", "wild", and one of "calm", "loud" is asked for'],
    [{ type: 'object' }, file, 'it gives an object, and a file is asked for'],
    [file, { type: 'object' }, 'it gives a file, and an object is asked for'],
    [file, text, 'it gives a file, and text is asked for'],
    [
      { type: 'object', additionalProperties: false },
      row,
      'it gives an object, and an object is asked for (it has no member “name”)',
    ],
    [
      { type: 'object', properties: { name: number } },
      row,
      'it gives an object, and an object is asked for (of its member “name”, it gives a number, and text is asked for)',
    ],
    [text, false, 'it gives text, and nothing at all is asked for'],
    [listOf(listOf(text)), listOf(text), 'it gives a list of lists of texts, and a list of texts is asked for'],
  ])('%j to %j', (from, to, problem) => {
    expect(portProblem(from, to)).toBe(problem)
  })
})
