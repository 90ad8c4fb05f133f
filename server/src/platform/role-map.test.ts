// Facts about the table that maps role words to roles: which texts its setting accepts, and what its default contains.
import { describe, expect, test } from 'vitest'
import { defaultRoleMap, parseRoleMap } from './role-map.ts'

test('the words that providers ship with have a role by default', () => {
  const map = parseRoleMap(defaultRoleMap)
  const wordsOf = (role: string) => [...map].filter(([, given]) => given === role).map(([word]) => word)
  expect(wordsOf('admin')).toEqual(['org:admin', 'org:owner', 'admin', 'owner'])
  expect(wordsOf('writer')).toEqual(expect.arrayContaining(['org:member', 'member', 'basic_member']))
  expect(wordsOf('reader')).toEqual(expect.arrayContaining(['org:viewer', 'org:reader', 'org:guest', 'guest_member']))
})

test.each([
  'org:product_owner, org:task_owner, org:non_admin, org:billing_admin, not-an-owner, landowner',
  'org:administrative_assistant, org:read_only, org:observer, Org:Admin, toString, __proto__',
])('none of %s has one', (words) => {
  const map = parseRoleMap(defaultRoleMap)
  expect(words.split(', ').filter((word) => map.has(word))).toEqual([])
})

test('a word is taken as it stands, whatever signs it has', () => {
  expect([...parseRoleMap(' org:a=b=admin , Designer de l’équipe = writer')]).toEqual([
    ['org:a=b', 'admin'],
    ['Designer de l’équipe', 'writer'],
  ])
})

describe('refused is', () => {
  test.each([
    ['a role that is none of ours', 'org:admin=owner', 'not “org:admin=owner”'],
    ['a word without a role', 'org:admin', 'not “org:admin”'],
    ['a role without a word', '=admin', 'not “=admin”'],
    ['an empty place', 'org:admin=admin,,', 'not “”'],
    ['a word that is there twice', 'a=admin,a=reader', 'names the word a twice'],
  ])('%s', (_what, text, why) => {
    expect(() => parseRoleMap(text)).toThrow(why)
  })
})
