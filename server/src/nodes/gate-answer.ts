// In charge of error messages for an answer that a gate refuses, in the same form as other validation errors.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, extraForbidden, missing, valueError, wrongType } from '@atelier/contract/wire/validation-errors.ts'

type Read = { members: Record<string, unknown>; errors: ValidationError[] }

/** Returns the members of an answer, and the errors in its form: not an object, a missing member, or an unknown member. */
export function readAnswer(answer: unknown, required: readonly string[], optional: readonly string[] = []): Read {
  if (!isPlainObject(answer)) {
    return { members: {}, errors: [errorAt([], wrongType.model, answer)] }
  }
  const lacking = required
    .filter((name) => !Object.hasOwn(answer, name))
    .map((name) => errorAt([name], missing, answer))
  const unknown = Object.keys(answer)
    .filter((name) => !required.includes(name) && !optional.includes(name))
    .map((name) => errorAt([name], extraForbidden, answer[name]))
  return { members: answer, errors: [...lacking, ...unknown] }
}

/** A validation error whose message, `why`, the gate has written itself. */
export const wrong = (loc: (string | number)[], why: string, input: unknown): ValidationError =>
  errorAt(loc, valueError(why), input)
