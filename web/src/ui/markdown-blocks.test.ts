// Facts about splitting a Markdown text into blocks.
import { expect, test } from 'vitest'
import { blocksOf } from './markdown-blocks.ts'

test('paragraphs, headings, lists, quotes and code are told apart, with or without empty lines between them', () => {
  const text =
    '# One\n### Three\nwords\ngo on\n- a\n  goes on\n- b\n\n1. first\n2) second\n\n> said\n> on\n```\n# code\n\n- code\n```\nend'
  expect(blocksOf(text)).toEqual([
    { kind: 'head', level: 1, lines: ['One'] },
    { kind: 'head', level: 3, lines: ['Three'] },
    { kind: 'text', lines: ['words', 'go on'] },
    { kind: 'bullets', lines: ['a goes on', 'b'] },
    { kind: 'numbers', lines: ['first', 'second'] },
    { kind: 'quote', lines: ['said', 'on'] },
    { kind: 'code', lines: ['# code', '', '- code'] },
    { kind: 'text', lines: ['end'] },
  ])
})

test('signs that begin no block stay words, and code that is never closed goes to the end', () => {
  expect(blocksOf('#no heading\n-5 degrees\n1.5 litres')).toEqual([
    { kind: 'text', lines: ['#no heading', '-5 degrees', '1.5 litres'] },
  ])
  expect(blocksOf('```\nopen')).toEqual([{ kind: 'code', lines: ['open'] }])
  expect(blocksOf(' \n\n')).toEqual([])
})
