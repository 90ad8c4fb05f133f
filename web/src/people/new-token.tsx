// In charge of the dialog that creates an API token and shows the token itself, which is possible only once.

import type { Scope } from '@atelier/contract/enums.ts'
import { Button, Checkbox, CopyButton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { namedApart } from '../lib/apart.ts'
import { call } from '../lib/api.ts'
import { fromLocalInput, latestLocalInput } from '../lib/dates.ts'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { peopleQuery, tokensQuery } from '../lib/queries.ts'
import { Choice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { useWrite } from '../ui/use-write.ts'

/** What each scope allows, as the dialog says it. Because of the type `Record`, no scope can be forgotten. */
const scopeWords: Record<Scope, string> = {
  read: 'Read everything',
  'tasks:write': 'Work on tasks, creatives and files',
  'runs:write': 'Start and change runs',
  'graphs:write': 'Write its own graphs',
  'creatives:lookup': 'Look creatives up',
  'launches:write': 'Record launches',
  admin: 'Manage people and tokens',
}

export function NewToken({ close }: { close: () => void }) {
  const people = useQuery(peopleQuery).data ?? []
  const aboutId = useId()
  const [name, setName] = useState('')
  const [userId, setUserId] = useState<string | null>(null)
  const [scopes, setScopes] = useState<string[]>(['creatives:lookup'])
  const [expires, setExpires] = useState('')
  const make = useWrite({
    write: () =>
      call('createToken', {
        body: {
          name: name.trim(),
          scopes: Object.entries(scopeWords).flatMap(([scope]) =>
            isScope(scope) && scopes.includes(scope) ? [scope] : [],
          ),
          user_id: userId,
          expires_at: fromLocalInput(expires),
        },
      }),
    list: tokensQuery.queryKey,
    quiet: true,
  })
  if (make.data) {
    return (
      <Dialog onClose={close} title="This token is shown once" closeOnClickOutside={false}>
        <p id={aboutId} className="dialog-text">
          Copy it now: only its hash is kept, nobody can show it again.
        </p>
        {/* The button of the form has disappeared; with the focus in the field, a screen reader reads that the token is there. */}
        <TextInput
          readOnly
          autoFocus
          aria-label="Token"
          aria-describedby={aboutId}
          classNames={{ input: 'mono' }}
          value={make.data.token}
        />
        <div className="dialog-foot">
          <CopyButton value={make.data.token}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                onClick={copy}
                leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button onClick={close}>Done</Button>
        </div>
      </Dialog>
    )
  }
  const named = ['name', 'scopes', 'user_id', 'expires_at'].some((field) => fieldError(make.error, field))
  return (
    <Dialog onClose={close} title="New token">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate(undefined)
        }}
      >
        <TextInput
          data-autofocus
          label="What it is for"
          required
          maxLength={120}
          error={fieldError(make.error, 'name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Choice
          label="Speaks for"
          placeholder="An integration"
          description="A person’s token may never do more than the person."
          clearable
          searchable
          data={namedApart(people.filter(({ active }) => active)).map(({ id, name }) => ({ value: id, label: name }))}
          value={userId}
          onChange={setUserId}
          error={fieldError(make.error, 'user_id')}
        />
        <Checkbox.Group label="May" value={scopes} onChange={setScopes} error={fieldError(make.error, 'scopes')}>
          <div className="scope-list">
            {Object.entries(scopeWords).map(([scope, words]) => (
              <Checkbox key={scope} size="xs" value={scope} label={words} />
            ))}
          </div>
        </Checkbox.Group>
        <TextInput
          type="datetime-local"
          max={latestLocalInput}
          label="Ends"
          description="Leave it empty for a token that lasts until it is revoked."
          error={fieldError(make.error, 'expires_at')}
          value={expires}
          onChange={(event) => setExpires(event.currentTarget.value)}
        />
        {make.isError && !named ? (
          <p className="problem" role="alert">
            {wordsOf(make.error)}
          </p>
        ) : null}
        <div className="dialog-foot">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === '' || scopes.length === 0} loading={make.isPending}>
            Make the token
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const isScope = (text: string): text is Scope => text in scopeWords
