// In charge of the dialog in which an admin changes a person's name and address of mail.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { personName } from '../lib/people.ts'
import { peopleQuery } from '../lib/queries.ts'
import type { Person } from '../lib/types.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useWrite } from '../ui/use-write.ts'
import { PersonFields } from './person-fields.tsx'

export function EditPerson({ person, close }: { person: Person; close: () => void }) {
  const [before] = useState({ name: person.name ?? '', email: person.email ?? '' })
  const [{ name, email }, setDraft] = useState(before)
  const save = useWrite({
    // Only what was changed is sent: the other one may have been changed elsewhere while the dialog was open.
    write: () =>
      call('patchUser', {
        params: { user_id: person.id },
        body: {
          ...(name === before.name ? {} : { name: name.trim() || null }),
          ...(email === before.email ? {} : { email: email.trim() || null }),
        },
      }),
    list: peopleQuery.queryKey,
    quiet: true,
    done: close,
  })
  return (
    <Dialog onClose={close} title={`Name and address of ${personName(person)}`}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(undefined)
        }}
      >
        {/* A person whom a provider has sent without a name may stay so; a name that was given is not to be lost by mistake. */}
        <PersonFields draft={{ name, email }} change={setDraft} error={save.error} isNameNeeded={before.name !== ''} />
        <div className="dialog-foot">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={before.name !== '' && name.trim() === ''}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
