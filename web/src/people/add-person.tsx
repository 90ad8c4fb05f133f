// In charge of the dialog in which an admin adds a person to the workspace.

import type { Role } from '@atelier/contract/enums.ts'
import { Button, Modal, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { peopleQuery, signInQuery } from '../lib/queries.ts'
import { tellOffer } from '../ui/toasts.tsx'
import { useWrite } from '../ui/use-write.ts'
import { addedWords, beforeWords } from './added-words.ts'
import { PersonFields } from './person-fields.tsx'
import { roleOptions } from './roles.ts'
import { useMakeSignInLink } from './sign-in-link-dialog.tsx'

const blank: { name: string; email: string; role: Role } = { name: '', email: '', role: 'writer' }

export function AddPerson({ opened, close }: { opened: boolean; close: () => void }) {
  const [draft, setDraft] = useState(blank)
  const makeSignInLink = useMakeSignInLink()
  const { method } = useQuery({ ...signInQuery, enabled: opened }).data ?? {
    method: 'link',
  }
  const add = useWrite({
    write: ({ name, email, role }: typeof blank) =>
      call('createUser', { body: { name: name.trim(), email: email.trim() || null, role } }),
    list: peopleQuery.queryKey,
    quiet: true,
    done: ({ id, name }) => {
      setDraft(blank)
      close()
      const whom = { id, name: name ?? draft.name }
      tellOffer(addedWords(whom.name, method), { label: 'Make the link', act: () => void makeSignInLink(whom) })
    },
  })
  return (
    <Modal opened={opened} onClose={close} title="Add a person">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate(draft)
        }}
      >
        <PersonFields
          {...{ draft, error: add.error }}
          change={(named) => setDraft({ ...draft, ...named })}
          isNameNeeded
        />
        <Select
          label="Role"
          description={`A ${draft.role} ${roleOptions.find(({ value }) => value === draft.role)?.means}.`}
          data={roleOptions.map(({ value, label }) => ({ value, label }))}
          value={draft.role}
          onChange={(role) => role && setDraft({ ...draft, role })}
        />
        <p className="hint">{beforeWords[method]}</p>
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
