// In charge of `sign-in`: asks the running service for a link that signs one browser in, and prints the link. The link works once.
import { readOptions } from './arguments.ts'
import { postAsOperator } from './running.ts'

const help = `Prints a link that signs a browser in, once, within 15 minutes.

  npm run sign-in
  npm run sign-in -- --user <person id>

  --user  the person to sign in as; left out: the owner`

export async function createSignInLink(args: string[]): Promise<void> {
  const values = readOptions(args, help, { user: { type: 'string' } })
  if (values === null) return
  const answer = await postAsOperator(
    '/api/v1/sign-in-links',
    values.user === undefined ? {} : { user_id: values.user },
  )
  console.log(answer.data.url)
}
