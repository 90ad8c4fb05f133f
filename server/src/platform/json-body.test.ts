// Facts about which bytes a request body may contain, and about the location that an error in a body has.
import { Invalid, type ValidationError } from '@atelier/contract/wire/errors.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../test/support/processor-time.ts'
import { staysWhole } from './exact-numbers.ts'
import { checkText, inexactErrors, parseQuery, readJsonBody } from './json-body.ts'
import { mostValues } from './json-values.ts'

/** Reads a body of which every member is used, so that each number that would be rounded is an error. */
function parseBytes(bytes: Buffer): unknown {
  const { value, inexact } = readJsonBody(bytes)
  if (inexact.length > 0) throw new Invalid(inexactErrors(inexact, []))
  return value
}
const parse = (text: string) => parseBytes(Buffer.from(text))

/** Returns the errors with which a body is refused. */
function errorsOf(body: string | Buffer): ValidationError[] {
  try {
    parseBytes(Buffer.from(body))
  } catch (error) {
    if (error instanceof Invalid) return error.detail
    throw error
  }
  throw new Error('the body was taken')
}

function malformed(position: number, error: string): ValidationError[] {
  return [{ type: 'json_invalid', loc: ['body', position], msg: 'JSON decode error', input: {}, ctx: { error } }]
}

function isHarmless(value: unknown): boolean {
  if (typeof value === 'number') return staysWhole(JSON.stringify(value))
  if (typeof value === 'string') return checkText(value) === null
  if (typeof value !== 'object' || value === null) return true
  const names = Array.isArray(value) ? [] : Object.keys(value)
  return !names.includes('__proto__') && [...names, ...Object.values(value)].every(isHarmless)
}

describe('a body that is JSON', () => {
  test('reads as JSON.parse reads it, unless something in it is hostile', () => {
    const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e300))
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '\ud800', '\0', '😀'))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(number, text, fc.boolean(), fc.array(tie('value')), fc.dictionary(text, tie('value'))),
    }))
    fc.assert(
      fc.property(value, (written) => {
        const json = JSON.stringify(written)
        if (isHarmless(JSON.parse(json))) expect(parse(json)).toEqual(JSON.parse(json))
        else expect(errorsOf(json)).not.toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  test('may begin with a BOM, repeat a name and have space around it', () => {
    expect(parse('\ufeff {"a":1,"a":2}\r\n')).toEqual({ a: 2 })
  })

  test('that has no bytes is absent', () => {
    expect(parse('')).toBeUndefined()
    expect(parse('null')).toBeNull()
  })

  test('keeps surrogate pairs written as escapes, and text with escapes that are harmless', () => {
    expect(parse('"\\ud83d\\ude00 \\u00e9 \\\\u0000"')).toBe('😀 é \\u0000')
  })
})

describe('a body that is not JSON', () => {
  test.each([
    [' ', 1, 'Expecting value'],
    ['\ufeff', 0, 'Expecting value'],
    ['nul', 0, 'Expecting value'],
    ['NaN', 0, 'Expecting value'],
    ['[1, -Infinity]', 4, 'Expecting value'],
    ['[1,]', 3, 'Expecting value'],
    ['{"a":}', 5, 'Expecting value'],
    ['[', 1, 'Expecting value'],
    ['-', 0, 'Expecting value'],
    ['{', 1, 'Expecting property name enclosed in double quotes'],
    ["{'a':1}", 1, 'Expecting property name enclosed in double quotes'],
    ['{"a":1,}', 7, 'Expecting property name enclosed in double quotes'],
    ['{"a" 1}', 5, "Expecting ':' delimiter"],
    ['[1 2]', 3, "Expecting ',' delimiter"],
    ['{"a":1', 6, "Expecting ',' delimiter"],
    ['[01]', 2, "Expecting ',' delimiter"],
    ['{} {}', 3, 'Extra data'],
    ['1.', 1, 'Extra data'],
    ['["abc', 1, 'Unterminated string starting at'],
    ['["a\nb"]', 3, 'Invalid control character at'],
    ['"\\x"', 1, 'Invalid \\escape'],
    ['"\\u12g4"', 2, 'Invalid \\uXXXX escape'],
    ['["😀😀" x]', 6, "Expecting ',' delimiter"],
  ])('%j fails at character %i: %s', (text, position, error) => {
    expect(errorsOf(text)).toEqual(malformed(position, error))
  })

  test.each([
    ['a byte of no sequence', [0x22, 0xff, 0x22], 1],
    ['half a character', [0x22, 0xc3, 0xa9, 0xc3, 0x22], 3],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 1],
    ['a character cut off at the end', [0x22, 0xf0, 0x9f, 0x98], 1],
    ['UTF-16', [0xff, 0xfe, 0x31, 0x00], 0],
    ['an overlong form after 10 KB', [...Buffer.from(`"${'é'.repeat(5000)}`), 0xc0], 10_001],
  ])('that is not UTF-8 fails at the first such byte: %s', (_what, bytes, position) => {
    expect(errorsOf(Buffer.from(bytes))).toEqual(malformed(position, 'invalid UTF-8'))
  })

  test('is refused wherever JSON.parse refuses it, and nothing but Invalid is thrown', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'u0000', 'u12', '1', '-', '.', 'e', 'null')
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
      fc.json(),
    )
    const bytes = fc.oneof(
      fc.uint8Array().map((array) => Buffer.from(array)),
      text.map((part) => Buffer.from(part)),
    )
    fc.assert(
      fc.property(bytes, (body) => {
        if (body.length === 0) return
        let isMalformed = false
        try {
          parseBytes(body)
        } catch (error) {
          expect(error).toBeInstanceOf(Invalid)
          isMalformed = error instanceof Invalid && error.detail[0]?.type === 'json_invalid'
        }
        expect(isMalformed).toBe(!isJson(body))
      }),
      { numRuns: 3000 },
    )
  })
})

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return true
  } catch {
    return false
  }
}

describe('depth', () => {
  const deep = 'nested too deeply (more than 100 levels)'
  test('of 100 levels is taken, of 101 is refused where it begins', () => {
    expect(parse(`${'['.repeat(100)}${']'.repeat(100)}`)).toBeInstanceOf(Array)
    expect(errorsOf(`[1, ${'['.repeat(100)}${']'.repeat(101)}`)).toEqual(malformed(103, deep))
    expect(errorsOf(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`)).toEqual(malformed(500, deep))
  })

  test.each([20_000, 500_000])('of %i levels overflows nothing', (levels) => {
    expect(errorsOf('['.repeat(levels))).toEqual(malformed(100, deep))
    expect(errorsOf('['.repeat(levels) + ']'.repeat(levels))).toEqual(malformed(100, deep))
    expect(errorsOf(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)).toEqual(malformed(500, deep))
  })

  test('does not hide what is malformed before it', () => {
    expect(errorsOf(`[x${'['.repeat(500)}`)).toEqual(malformed(1, 'Expecting value'))
  })
})

describe('hostile values', () => {
  test('NUL and lone surrogates are refused where they are, all at once', () => {
    const detail = errorsOf('{"a":["ok","x\\u0000"],"b":{"c":"\\ud800"},"d\\udc00":1,"e":"\\ud83d\\ude00"}')
    const ctx = { error: {} }
    const nul = { type: 'value_error', msg: 'Value error, text may not contain NUL', ctx }
    const lone = { type: 'value_error', msg: 'Value error, text may not contain lone surrogates', ctx }
    expect(detail).toEqual([
      { ...nul, loc: ['body', 'a', 1], input: 'x\0' },
      { ...lone, loc: ['body', 'b', 'c'], input: '\ud800' },
      { ...lone, loc: ['body', 'd\udc00'], input: 'd\udc00' },
    ])
  })

  test.each([
    ['[1, 1e999]', 'finite_number', ['body', 1]],
    ['{"a":-1e999}', 'finite_number', ['body', 'a']],
    ['9007199254740993', 'value_error', ['body']],
    ['{"a":{"b":["\\"1",-9007199254740993]}}', 'value_error', ['body', 'a', 'b', 1]],
    ['1e30', 'value_error', ['body']],
  ])('%s is %s', (text, type, loc) => {
    expect(errorsOf(text)).toMatchObject([{ type, loc }])
  })

  test('a number that would become another one is repeated as it was sent, and said what it would become', () => {
    const [error] = errorsOf('{"big": 120215811027660439 }')
    expect(error?.msg).toBe(
      'Value error, this number would become 120215811027660430: send that, or the digits as a text',
    )
    expect(JSON.stringify(error?.input)).toBe('120215811027660439')
    const [larger] = errorsOf('[6.314209350612491e+156]')
    expect(larger?.msg).toBe('Value error, a number as large as this is kept as a text only: send its digits as one')
  })

  test.each([
    ...['9007199254740992', '-9007199254740992', '1e21', '1e22', '18446744073709551616', '18446744073709552000'],
    ...['900719925474099.2e1', '9007199254740992.000', '1180591620717411303424'],
  ])('%s is taken: it comes back as it was sent, or is held as it is', (text) => {
    expect(parse(`{"a":[${text}]}`)).toEqual({ a: [Number(text)] })
  })

  test.each([
    ...['9007199254740993', '1e23', '1e300', '9007199254740992.5', '120215811027660439', '-1.8e308'],
    `9007199254740992.${'0'.repeat(100_000)}1`,
  ])('%s is refused', (text) => {
    expect(errorsOf(`{"a":["${'x'.repeat(3)}",${text}]}`)).toHaveLength(1)
  })

  test('a hostile number costs no more than its length', () => {
    const started = processorMs()
    const zeros = '0'.repeat(500_000)
    expect(staysWhole(`1${'0'.repeat(300)}.${zeros}`)).toBe(false)
    expect(staysWhole(`0.${zeros}1e500020`)).toBe(true)
    expect(staysWhole(`1e${zeros}17`)).toBe(true)
    expect(processorMs() - started).toBeLessThan(1000)
  })

  test('a number is not refused a second time where it or a value around it is refused already', () => {
    const { inexact } = readJsonBody(Buffer.from('{"a":{"b":[1e30,2,1e30],"c":1e30},"d":[{"e":1e30}],"0":1e30}'))
    const other = (...loc: (string | number)[]): ValidationError => ({ type: 'other', loc: ['body', ...loc], msg: '' })
    const told = (...others: ValidationError[]) =>
      inexactErrors(inexact, others).map(({ loc }) => loc.slice(1).join('.'))
    const all = ['0', 'a.b.0', 'a.b.2', 'a.c', 'd.0.e']
    expect(told()).toEqual(all)
    expect(told(other('x'), other('a', 'b', 0, 'z'), other('d', '0'), other(0))).toEqual(all)
    expect(told(other('a', 'b', 0), other('d', 0))).toEqual(['0', 'a.b.2', 'a.c'])
    expect(told(other('a', 'b'), other('a', 'b', 0), other('0'))).toEqual(['a.c', 'd.0.e'])
    expect(told(other())).toEqual([])
  })

  test('many deep numbers cost no more than their text, whatever else is refused', () => {
    const names = Array(95).fill('n'.repeat(1000))
    const many = Array(40_000).fill('9007199254740993').join(',')
    const body = Buffer.from(`${names.map((name) => `{"${name}":`).join('')}[${many}]${'}'.repeat(names.length)}`)
    const started = processorMs()
    const { inexact } = readJsonBody(body)
    expect(inexact).toHaveLength(40_000)
    expect(inexactErrors(inexact, []).length).toBeLessThan(100)
    const others = [...names.keys()].map((depth) => ({
      type: '',
      loc: ['body', ...names.slice(0, depth), 'x'],
      msg: '',
    }))
    expect(inexactErrors(inexact, others).length).toBeLessThan(100)
    expect(inexactErrors(inexact, [{ type: '', loc: ['body', ...names], msg: '' }])).toEqual([])
    expect(processorMs() - started).toBeLessThan(1500)
  })

  test('the largest safe integers and long decimals are taken', () => {
    expect(parse('[9007199254740991,-9007199254740991,0.12345678901234567]')).toHaveLength(3)
  })

  test('a member named __proto__ is refused, however it is written, and pollutes nothing', () => {
    const detail = errorsOf('{"a":[{"__proto__":{"polluted":1}}],"\\u005f_proto__":2}')
    const why = { type: 'value_error', msg: 'Value error, a member may not be named `__proto__`' }
    expect(detail).toMatchObject([
      { ...why, loc: ['body', 'a', 0, '__proto__'], input: { polluted: 1 } },
      { ...why, loc: ['body', '__proto__'], input: 2 },
    ])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('a member name of more than 1,000 characters is refused', () => {
    expect(errorsOf(`{"${'n'.repeat(1001)}":1}`)).toMatchObject([{ type: 'value_error' }])
    expect(parse(`{"${'n'.repeat(1000)}":1}`)).toBeInstanceOf(Object)
  })

  test('make an answer of a thousand errors, and of two megabytes, at most', () => {
    expect(errorsOf(`[${'"\\u0000",'.repeat(100_000)}1]`)).toHaveLength(1000)
    const deepAndMany = `${`{"${'n'.repeat(900)}":`.repeat(90)}[${'1e999,'.repeat(100_000)}1]${'}'.repeat(90)}`
    expect(JSON.stringify(errorsOf(deepAndMany)).length).toBeLessThan(2_000_000)
  })
})

test('checkText tells NUL from lone surrogates from text', () => {
  expect(['a😀', '', 'a\0', '\ud800', 'x\udc00y'].map(checkText)).toEqual([
    null,
    null,
    'nul',
    'lone_surrogate',
    'lone_surrogate',
  ])
})

describe('a query', () => {
  const values = (raw: string) => ({ ...parseQuery(raw).values })
  const errors = (raw: string) => parseQuery(raw).errors.map(({ msg, loc, input }) => [msg, ...loc, input])

  test('is split and decoded', () => {
    expect(values('')).toEqual({})
    expect(values('a=1&b=x+y%20z%2B&c&d=&&e=a=b&%C3%A9=%F0%9F%98%80')).toEqual({
      a: '1',
      b: 'x y z+',
      c: '',
      d: '',
      e: 'a=b',
      é: '😀',
    })
  })

  test('counts the last of a repeated parameter', () => {
    expect(values('limit=1&limit=2')).toEqual({ limit: '2' })
  })

  test('says which parameter is not text', () => {
    expect(errors('a=%zz&b=%&c=%ff&d=%ed%a0%80&e=a%00b&f=ok&g=\ud800')).toEqual([
      ['Value error, invalid percent-encoding', 'query', 'a', '%zz'],
      ['Value error, invalid percent-encoding', 'query', 'b', '%'],
      ['Value error, invalid UTF-8', 'query', 'c', '%ff'],
      ['Value error, invalid UTF-8', 'query', 'd', '%ed%a0%80'],
      ['Value error, text may not contain NUL', 'query', 'e', 'a%00b'],
      ['Value error, text may not contain lone surrogates', 'query', 'g', '\ud800'],
    ])
    expect(errors('%ff=1')).toEqual([['Value error, invalid UTF-8', 'query', '%ff', '%ff']])
  })

  test('has no inherited members, and takes any name as its own', () => {
    const parsed = parseQuery('__proto__=1&constructor=2').values
    expect(Object.getPrototypeOf(parsed)).toBeNull()
    expect(Object.entries(parsed)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
  })

  test('has 100 parameters at most', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')
    expect(parseQuery(many(100)).errors).toEqual([])
    expect(parseQuery(many(101)).errors).toMatchObject([{ type: 'value_error', loc: ['query'] }])
    expect(values(`${'&'.repeat(500)}a=1`)).toEqual({ a: '1' })
  })

  test('reads back whatever URLSearchParams writes', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((part) => checkText(part) === null)
    fc.assert(
      fc.property(fc.dictionary(text, text), (wanted) => {
        expect(values(new URLSearchParams(wanted).toString())).toEqual({ ...wanted })
      }),
    )
  })

  test('throws nothing, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        expect(parseQuery(raw).errors).toBeInstanceOf(Array)
      }),
    )
  })
})

describe('the number of values', () => {
  /** A list in which this value stands `count` times. */
  const listOf = (value: string, count: number) => `[${Array(count).fill(value).join(',')}]`

  test('is bounded, whatever the values are', () => {
    const words = `a body may have at most ${mostValues} values: texts, numbers, objects and lists, counted together`
    const refused = { type: 'value_error', loc: ['body'], msg: `Value error, ${words}` }
    expect(errorsOf(listOf('{}', mostValues))).toMatchObject([refused])
    expect(errorsOf(listOf('1', mostValues + 1))).toMatchObject([refused])
    expect(parse(listOf('{}', mostValues / 2 - 1))).toHaveLength(mostValues / 2 - 1)
  })

  test('does not include what stands in texts', () => {
    const text = String.raw`",[{\",[{`.repeat(mostValues / 4)
    const body = JSON.stringify({ text, after: [1, 2] })
    expect(parse(body)).toEqual({ text, after: [1, 2] })
    const [first] = errorsOf(`{"a":"${'x'.repeat(mostValues)}`)
    expect(first?.type).toBe('json_invalid')
  })
})
