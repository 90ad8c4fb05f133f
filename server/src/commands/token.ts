// In charge of `token`: asks the running service to issue a static token (one that is not issued by an identity provider), and
// prints it.
import { parseArgs } from 'node:util'
import { scopes } from '@atelier/contract/enums.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { postAsOperator } from './running.ts'

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
  const answer = await postAsOperator('/api/v1/tokens', {
    name: values.name,
    scopes: values.scopes.split(',').map((scope) => scope.trim()),
    user_id: values.user ?? null,
    expires_at: values.expires ?? null,
  })
  console.log(answer.data.token)
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
