// In charge of `token`: asks the running service to issue a static token (one that is not issued by an identity provider), and
// prints it.
import { scopes } from '@atelier/contract/enums.ts'
import { argumentError, readOptions } from './arguments.ts'
import { postAsOperator } from './running.ts'

const help = `Issues a static token through the running service. It is shown once.

  npm run token -- --name "Ad platform" --scopes creatives:lookup,launches:write
  npm run token -- --name "My laptop" --scopes read,tasks:write --user <person id>

  --name     what it is for
  --scopes   comma-separated, of: ${scopes.join(', ')}
  --user     the person it speaks for; left out: an integration
  --expires  a date-time such as 2027-01-01T00:00:00Z; left out: never`

export async function createToken(args: string[]): Promise<void> {
  const text = { type: 'string' } as const
  const values = readOptions(args, help, { name: text, scopes: text, user: text, expires: text })
  if (values === null) return
  if (!values.name || !values.scopes) throw argumentError('A token needs a --name and --scopes.', help)
  const answer = await postAsOperator('/api/v1/tokens', {
    name: values.name,
    scopes: values.scopes.split(',').map((scope) => scope.trim()),
    user_id: values.user ?? null,
    expires_at: values.expires ?? null,
  })
  console.log(answer.data.token)
}
