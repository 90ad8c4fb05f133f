// Facts about which schemas are allowed for a request.
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { compileValidator } from './validation.ts'

describe('references', () => {
  const Invocation = Type.Object({ node_id: Type.String({ minLength: 1 }) }, { $id: 'Invocation' })

  test('are followed', () => {
    const check = compileValidator(Type.Object({ regenerate: Type.Array(Type.Ref('Invocation')) }), 'body', [
      Invocation,
    ])
    expect(check({ regenerate: [{ node_id: '' }, {}] }).errors.map(({ type, loc }) => [type, ...loc])).toEqual([
      ['string_too_short', 'body', 'regenerate', 0, 'node_id'],
      ['missing', 'body', 'regenerate', 1, 'node_id'],
    ])
  })

  test('may lead back to where they came from', () => {
    const Group = { $id: 'Group', type: 'object', properties: { rules: { type: 'array', items: { $ref: 'Group' } } } }
    const { errors } = compileValidator(Group, 'body', [Group])({ rules: [{ rules: [{ rules: 5 }] }] })
    expect(errors).toMatchObject([{ type: 'list_type', loc: ['body', 'rules', 0, 'rules', 0, 'rules'] }])
  })

  test('that lead nowhere, or to one of two schemas, are refused when compiled', () => {
    expect(() => compileValidator(Type.Ref('Nothing'), 'body')).toThrow('hand it over in refs')
    expect(() => compileValidator({ type: 'object', $id: 'Invocation' }, 'body')).toThrow('two different schemas')
  })
})

test.each([
  [Type.Union([Type.String(), Type.Null()]), 'cannot say anyOf'],
  [{ type: 'object', required: ['a'] }, 'required, not declared'],
  [{ type: 'array', uniqueItems: true, items: { type: 'object' } }, 'only texts and numbers are compared'],
  [{ enum: [{}] }, 'only texts and numbers are compared'],
  [{ const: [] }, 'only texts and numbers are compared'],
  [{ type: ['string', 'integer'] }, 'allowUnionTypes'],
  [{ type: 'string', format: 'email' }, 'format'],
])('a schema that cannot be answered for is refused when compiled: %j', (schema, message) => {
  expect(() => compileValidator(schema, 'body')).toThrow(message)
})
