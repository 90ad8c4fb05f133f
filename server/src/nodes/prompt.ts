// In charge of the prompts of nodes that make pictures and films: a template, and what is to be different from what it gave before.
import Type from 'typebox'
import { takes } from './define.ts'
import { fillIn } from './liquid.ts'

/** The port that a comment on a picture is led to when a new take of it is made. */
export const changesPort = takes({
  title: 'Changes',
  description: 'What is to be different, said after the prompt; or where the prompt has {{ changes }}.',
  schema: Type.String(),
})

/** The prompt with its variables filled in; changes that it does not name itself stand after it. */
export function promptOf(template: string, inputs: Record<string, unknown>): string {
  const prompt = fillIn(template, inputs).trim()
  const changes = typeof inputs.changes === 'string' ? inputs.changes.trim() : ''
  if (prompt === '' || changes === '' || /\{[{%][^}]*\bchanges\b/.test(template)) return prompt
  return `${prompt}\n\n${changes}`
}
