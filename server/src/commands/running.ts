// In charge of sending requests to the running service with the operator's token, for commands that need the service.
import { readFileSync } from 'node:fs'
import { readConfig } from '../platform/config.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'
import { type OperatorFile, operatorPath } from './operator-file.ts'

/** Sends a POST request to a route of the running service, and returns the parsed response body. */
export async function postAsOperator(path: string, body: Record<string, unknown>) {
  const { url, token } = readOperator()
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new OperatorError(`The service at ${url} does not answer: is it running?`, { cause: error })
  })
  const text = await answer.text()
  if (!answer.ok) throw new OperatorError(`The service refused (${answer.status}): ${wordsOfRefusal(text)}`)
  return JSON.parse(text)
}

type Refused = { detail?: string | { loc: (string | number)[]; msg: string }[] }

/** Returns the words of a refusal: its detail, or all errors of the input with their places; a text that is no JSON as it is. */
export function wordsOfRefusal(text: string): string {
  try {
    const { detail = text }: Refused = JSON.parse(text)
    if (typeof detail === 'string') return detail
    return detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')
  } catch {
    return text
  }
}

function readOperator(): OperatorFile {
  const path = operatorPath(readConfig(process.env))
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new OperatorError(
      isMissing
        ? `There is no running service here (${path} is missing): start it with npm start.`
        : `${path} cannot be read (${wordsOf(error)}): the service writes it again when it is started again.`,
      { cause: error },
    )
  }
}
