// Facts about keys that are meant as commands.
import { expect, test } from 'vitest'
import { isCommand, isComposed } from './keys.ts'

const key = { repeat: false, nativeEvent: { isComposing: false, keyCode: 13 } }

test('a key is a command, unless an input method uses it or it is held down', () => {
  expect(isCommand(key)).toBe(true)
  expect(isCommand({ ...key, repeat: true })).toBe(false)
  expect(isCommand({ ...key, nativeEvent: { isComposing: true, keyCode: 13 } })).toBe(false)
  expect(isCommand({ ...key, nativeEvent: { isComposing: false, keyCode: 229 } })).toBe(false)
})

test('a key that is held down is still not one of an input method', () => {
  expect(isComposed({ ...key, nativeEvent: { isComposing: true, keyCode: 13 } })).toBe(true)
  expect(isComposed({ ...key, nativeEvent: { isComposing: false, keyCode: 229 } })).toBe(true)
  expect(isComposed(key)).toBe(false)
})
