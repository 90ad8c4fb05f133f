// In charge of explaining how to sign in to this installation.
import { Button, Code } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callerQuery, signInQuery } from '../lib/queries.ts'
import { Failed, Loading } from '../ui/states.tsx'
import { tellError } from '../ui/toasts.tsx'

/** `stays`: whether the page below has to stay, because it may have changes that are not saved. */
export function HowToSignIn({ stays }: { stays: boolean }) {
  const how = useQuery(signInQuery)
  const client = useQueryClient()
  const look = async () => {
    const { data, error } = await how.refetch()
    if (error) tellError(error)
    else if (data?.signed_in) await client.invalidateQueries({ queryKey: callerQuery.queryKey })
    else
      tellError(new Error('Open the link here, and press the button behind it.'), 'This browser is not signed in yet')
  }
  if (how.isPending) return <Loading what="how to sign in" />
  if (!how.data) return <Failed error={how.error} retry={() => void how.refetch()} />
  const check = (words: string) => (
    <Button size="sm" variant="default" onClick={() => void look()}>
      {words}
    </Button>
  )
  if (how.data.method === 'issuer') {
    const where = hostOf(how.data.issuer)
    return stays ? (
      <>
        <p>Your workspace signs in with {where}, in a new tab. Then come back here.</p>
        <Button size="sm" component="a" href={how.data.sign_in_path} target="_blank" rel="noopener">
          Continue in a new tab
        </Button>
        {check('I have signed in')}
      </>
    ) : (
      <>
        <p>Your workspace signs in with {where}.</p>
        <Button size="sm" onClick={() => location.assign(how.data.sign_in_path)}>
          Continue
        </Button>
      </>
    )
  }
  return (
    <>
      <p>
        Open your sign-in link in this browser: ask an admin for one, who makes it on the page “People”. It works once.
      </p>
      <p>
        The first admin opens the link that the service printed when it started. On the machine of the service, this
        command prints another:
      </p>
      <Code block>npm run sign-in</Code>
      {check('I have opened it')}
    </>
  )
}

const hostOf = (issuer: string | null): string =>
  issuer && URL.canParse(issuer) ? new URL(issuer).host : 'its provider'
