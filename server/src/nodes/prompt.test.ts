// Facts about prompts: the text at the port `changes` is added after the prompt, or where the template has `changes`.
import { expect, test } from 'vitest'
import { promptOf } from './prompt.ts'

test.each([
  ['A flask', { changes: ' Warmer ' }, 'A flask\n\nWarmer'],
  ['A {{ thing }}', { thing: 'flask', changes: 'Warmer' }, 'A flask\n\nWarmer'],
  ['{{ changes | downcase }}: a flask', { changes: 'Warmer' }, 'warmer: a flask'],
  ['{% if changes %}{{ changes }}{% endif %} A flask', {}, 'A flask'],
  ['A flask with changes', { changes: 'Warmer' }, 'A flask with changes\n\nWarmer'],
  ['A flask', { changes: '  ' }, 'A flask'],
  ['A flask', { changes: ['of', 'another', 'kind'] }, 'A flask'],
  ['', { changes: 'Warmer' }, ''],
])('“%s” with %o', (template, inputs, prompt) => {
  expect(promptOf(template, inputs)).toBe(prompt)
})
