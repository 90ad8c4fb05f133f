// In charge of telling admins how a person whom they add here signs in. Pure.

import type { SignInMethod } from '../lib/session.ts'

/** What the dialog says beforehand. `issuer`: the people of the workspace sign in at an identity provider. */
export const beforeWords: Record<SignInMethod, string> = {
  link: 'No invitation is sent. Once the person is added, make a sign-in link and send it yourself.',
  issuer:
    'No invitation is sent. People who sign in with your identity provider are listed here by themselves. A person added here stays another one, and signs in by a link only.',
}

export const addedWords = (name: string, method: SignInMethod): string =>
  method === 'link'
    ? `Added “${name}”. They sign in by a link`
    : `Added “${name}”. They sign in by a link, not with the identity provider`
