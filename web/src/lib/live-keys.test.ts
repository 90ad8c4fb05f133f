// Facts about which queries a reported change makes outdated.
import { type Change, changeKinds } from '@atelier/contract/wire/events.ts'
import { approvalsChangeId, moneyChangeId } from '@atelier/contract/wire/money-changes.ts'
import { expect, test } from 'vitest'
import { isOfOneOf, keysOf } from './live-keys.ts'

test('every kind of change has its keys, and each key names the query first', () => {
  for (const kind of changeKinds) for (const key of keysOf({ kind, id: 'some' })) expect(key[0]).toBeTypeOf('string')
})

test('a template that was added, changed or deleted makes every list of templates outdated', () => {
  expect(keysOf({ kind: 'template', id: 'some' })).toEqual([['task-templates']])
})

test('a budget or a token that was changed elsewhere makes the pages of money or tokens outdated', () => {
  expect(keysOf({ kind: 'money', id: moneyChangeId })).toEqual([
    ['money', 'budgets'],
    ['money', 'approvals'],
  ])
  expect(keysOf({ kind: 'token', id: 'some' })).toEqual([['tokens']])
})

test('a change of an approval makes only approvals outdated, and no change of money the sums that are read by themselves', () => {
  expect(keysOf({ kind: 'money', id: approvalsChangeId })).toEqual([['money', 'approvals']])
  const outdated = [moneyChangeId, approvalsChangeId].flatMap((id) => keysOf({ kind: 'money', id }))
  for (const sums of [
    ['money', 'spend', 'month', null],
    ['money', 'spend-of-task', 'some'],
  ]) {
    expect(outdated.filter((key) => key.every((part, at) => part === sums[at]))).toEqual([])
  }
})

test('a kind of a newer service makes nothing outdated, and does not fail', () => {
  const change: Change = JSON.parse('{"kind":"some-later-kind","id":"some"}')
  expect(keysOf(change)).toEqual([])
})

test('a change of a task makes what was read of its creatives outdated, and of no other creative', () => {
  expect(isOfOneOf({ id: 'creative', task_id: 'mine' }, new Set(['other', 'mine']))).toBe(true)
  expect(isOfOneOf({ id: 'creative', task_id: 'mine' }, new Set(['other']))).toBe(false)
  expect(isOfOneOf(undefined, new Set(['mine']))).toBe(false)
})
