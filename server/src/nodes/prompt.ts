// In charge of prompts for pictures and videos: the text of a template, and the changes that a person wants in the next result.
import Type from 'typebox'
import { takes } from './define.ts'
import { fillIn } from './liquid.ts'

/** The port for what a person wants changed in the last picture or video. The text becomes part of the prompt for the next one. */
export const changesPort = takes({
  title: 'Changes',
  description: 'What is to be different, said after the prompt; or where the prompt has {{ changes }}.',
  schema: Type.String(),
})

/** The rendered prompt. The requested changes are added at its end, unless the template contains `{{ changes }}`. */
export function promptOf(template: string, inputs: Record<string, unknown>): string {
  const prompt = fillIn(template, inputs).trim()
  const changes = typeof inputs.changes === 'string' ? inputs.changes.trim() : ''
  if (prompt === '' || changes === '' || /\{[{%][^}]*\bchanges\b/.test(template)) return prompt
  return `${prompt}\n\n${changes}`
}
