// In charge of the page for users who are not signed in: it explains how to sign in to this installation.

import { Button, Code } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callerQuery, signInQuery } from '../lib/queries.ts'
import { keepPlace } from '../lib/return-to.ts'
import { Failed, Loading } from '../ui/states.tsx'
import { tellError } from '../ui/toasts.tsx'

export function SignInPage() {
  useDocumentTitle('Sign in · Atelier')
  const how = useQuery(signInQuery)
  const client = useQueryClient()
  useEffect(keepPlace, [])
  const look = async () => {
    const { data, error } = await how.refetch()
    if (error) tellError(error)
    else if (data?.signed_in) await client.invalidateQueries({ queryKey: callerQuery.queryKey })
    else
      tellError(new Error('Open the link here, and press the button behind it.'), 'This browser is not signed in yet')
  }
  if (how.isPending) return <Loading what="how to sign in" />
  if (!how.data) return <Failed error={how.error} retry={() => void how.refetch()} />
  return (
    <main className="sign-in">
      <img src="/icon.svg" alt="" width={44} height={44} />
      <h1>Sign in to Atelier</h1>
      {how.data.method === 'issuer' ? (
        <>
          <p>Your workspace signs in with {hostOf(how.data.issuer)}.</p>
          <Button size="sm" onClick={() => location.assign(how.data.sign_in_path)}>
            Continue
          </Button>
        </>
      ) : (
        <>
          <p>
            Open your sign-in link in this browser: ask an admin for one, who makes it on the page “People”. It works
            once.
          </p>
          <p>
            The first admin opens the link that the service printed when it started. On the machine of the service, this
            command prints another:
          </p>
          <Code block>npm run sign-in</Code>
          <Button size="sm" variant="default" onClick={() => void look()}>
            I have opened it
          </Button>
        </>
      )}
    </main>
  )
}

const hostOf = (issuer: string | null): string =>
  issuer && URL.canParse(issuer) ? new URL(issuer).host : 'its provider'
