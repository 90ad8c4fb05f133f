// In charge of `token`: issues a static token through the running service, as its operator.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { scopes } from '@atelier/contract/enums.ts'
import { readConfig } from '../platform/config.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { type OperatorFile, operatorPath } from './operator-file.ts'

const help = `Issues a static token through the running service. It is shown once.

  npm run token -- --name "Ad platform" --scopes creatives:lookup,launches:write
  npm run token -- --name "My laptop" --scopes read,tasks:write --user <person id>

  --name     what it is for
  --scopes   comma-separated, of: ${scopes.join(', ')}
  --user     the person it speaks for; left out: an integration
  --expires  a date-time such as 2027-01-01T00:00:00Z; left out: never`

export async function createToken(args: string[]): Promise<void> {
  const values = readArguments(args)
  if (values.help || !values.name || !values.scopes) {
    console.log(help)
    if (!values.help) process.exitCode = 64
    return
  }
  const { url, token } = readOperator()
  const answer = await fetch(`${url}/api/v1/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: values.name,
      scopes: values.scopes.split(',').map((scope) => scope.trim()),
      user_id: values.user ?? null,
      expires_at: values.expires ?? null,
    }),
  }).catch((error: unknown) => {
    throw new OperatorError(`The service at ${url} does not answer: is it running?`, { cause: error })
  })
  const text = await answer.text()
  if (!answer.ok) throw new OperatorError(`The service refused (${answer.status}): ${text}`)
  console.log(JSON.parse(text).data.token)
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const
  const options = { name: text, scopes: text, user: text, expires: text, help: { type: 'boolean' } } as const
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}

function readOperator(): OperatorFile {
  const path = operatorPath(readConfig(process.env))
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new OperatorError(`There is no running service here (${path} is missing): start it with npm start.`, {
      cause: error,
    })
  }
}
