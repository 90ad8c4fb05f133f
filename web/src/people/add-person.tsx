// In charge of the dialog in which an admin adds a person to the workspace.

import type { Role } from '@atelier/contract/enums.ts'
import { Button, Modal, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { peopleQuery } from '../lib/queries.ts'
import { useWrite } from '../ui/use-write.ts'
import { roleOptions } from './roles.ts'

const blank: { name: string; email: string; role: Role } = { name: '', email: '', role: 'writer' }

export function AddPerson({ opened, close }: { opened: boolean; close: () => void }) {
  const [draft, setDraft] = useState(blank)
  const add = useWrite({
    write: ({ name, email, role }: typeof blank) =>
      call('createUser', { body: { name: name.trim(), email: email.trim() || null, role } }),
    list: peopleQuery.queryKey,
    quiet: true,
    done: () => {
      setDraft(blank)
      close()
    },
  })
  const problem = (field: string) => fieldError(add.error, field)
  const elsewhere = add.isError && !problem('name') && !problem('email') ? wordsOf(add.error) : null
  return (
    <Modal opened={opened} onClose={close} title="Add a person">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate(draft)
        }}
      >
        <TextInput
          data-autofocus
          label="Name"
          required
          maxLength={255}
          error={problem('name')}
          value={draft.name}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
        />
        <TextInput
          label="Email"
          type="email"
          maxLength={255}
          error={problem('email')}
          value={draft.email}
          onChange={(event) => setDraft({ ...draft, email: event.currentTarget.value })}
        />
        <Select
          label="Role"
          description={`A ${draft.role} ${roleOptions.find(({ value }) => value === draft.role)?.means}.`}
          data={roleOptions.map(({ value, label }) => ({ value, label }))}
          value={draft.role}
          allowDeselect={false}
          onChange={(role) => role && setDraft({ ...draft, role })}
        />
        {elsewhere ? (
          <p className="problem" role="alert">
            {elsewhere}
          </p>
        ) : null}
        <div className="dialog-foot">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending} disabled={draft.name.trim() === ''}>
            Add
          </Button>
        </div>
      </form>
    </Modal>
  )
}
