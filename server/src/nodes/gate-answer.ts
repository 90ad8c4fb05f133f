// In charge of what is said about an answer that a gate cannot take, in the words of every other refusal.
import { isPlainObject } from '@atelier/contract/definition.ts'
import type { ValidationError } from '@atelier/contract/errors.ts'

type Read = { members: Record<string, unknown>; errors: ValidationError[] }

/** The members of an answer, and what is wrong with it as a whole: not an object, one missing, or one unknown. */
export function readAnswer(answer: unknown, required: readonly string[], optional: readonly string[] = []): Read {
  if (!isPlainObject(answer)) {
    const msg = 'Input should be a valid dictionary or object to extract fields from'
    return { members: {}, errors: [{ type: 'model_attributes_type', loc: [], msg, input: answer }] }
  }
  const missing = required
    .filter((name) => !Object.hasOwn(answer, name))
    .map((name) => ({ type: 'missing', loc: [name], msg: 'Field required', input: answer }))
  const unknown = Object.keys(answer)
    .filter((name) => !required.includes(name) && !optional.includes(name))
    .map((name) => ({
      type: 'extra_forbidden',
      loc: [name],
      msg: 'Extra inputs are not permitted',
      input: answer[name],
    }))
  return { members: answer, errors: [...missing, ...unknown] }
}

/** An error in words of the gate's own. */
export const wrong = (loc: (string | number)[], why: string, input: unknown): ValidationError => ({
  type: 'value_error',
  loc,
  msg: `Value error, ${why}`,
  input,
  ctx: { error: {} },
})
