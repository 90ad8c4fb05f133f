// In charge of the dialog in which an admin changes a person's name and address of mail. Another admin may change the same person
// meanwhile: what was typed here replaces their text only once that was seen.
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import { call } from '../lib/api.ts'
import { personName } from '../lib/people.ts'
import { peopleQuery } from '../lib/queries.ts'
import type { Person } from '../lib/types.ts'
import { Dialog } from '../ui/dialog.tsx'
import { draftOf, type FieldDraft, followed, isEntered, isOvertaken, rebased } from '../ui/field-draft.ts'
import { OvertakenNote } from '../ui/overtaken-note.tsx'
import { useWrite } from '../ui/use-write.ts'
import { PersonFields } from './person-fields.tsx'

export function EditPerson({ person, close }: { person: Person; close: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useDraft(person.name)
  const [email, setEmail] = useDraft(person.email)
  const save = useWrite({
    /** Returns whether the person was changed; not if another admin has changed the same meanwhile, which the fields then say. */
    write: async () => {
      const people = await client.fetchQuery({ ...peopleQuery, staleTime: 0 })
      const now = people.find(({ id }) => id === person.id) ?? person
      const drafts = [followed(name, now.name ?? ''), followed(email, now.email ?? '')]
      if (drafts.some((draft) => isOvertaken(draft, null))) return false
      await call('patchUser', {
        params: { user_id: person.id },
        body: {
          ...(isEntered(name) ? { name: name.text.trim() || null } : {}),
          ...(isEntered(email) ? { email: email.text.trim() || null } : {}),
        },
      })
      return true
    },
    list: peopleQuery.queryKey,
    quiet: true,
    done: (isSaved) => {
      if (isSaved) close()
    },
  })
  // While it is being saved, what the list says may be what was sent.
  const notes = save.isPending ? {} : { name: noteOf(name, setName), email: noteOf(email, setEmail) }
  const isNameNeeded = name.saved !== ''
  const isHeld = Object.values(notes).some((note) => note !== null)
  return (
    <Dialog onClose={close} title={`Name and address of ${personName(person)}`}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isHeld && !save.isPending) save.mutate(undefined)
        }}
      >
        {/* A person whom a provider has sent without a name may stay so; a name that was given is not to be lost by mistake. */}
        <PersonFields
          draft={{ name: name.text, email: email.text }}
          change={(typed) => {
            setName((now) => ({ ...now, text: typed.name }))
            setEmail((now) => ({ ...now, text: typed.email }))
          }}
          error={save.error}
          {...{ isNameNeeded, notes }}
        />
        <div className="dialog-foot">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={isNameNeeded && name.text.trim() === ''}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The text in a field that follows what is saved until the user types in it. */
function useDraft(value: string | null): [FieldDraft, Dispatch<SetStateAction<FieldDraft>>] {
  const saved = value ?? ''
  const [draft, setDraft] = useState(() => draftOf(saved))
  useEffect(() => setDraft((now) => followed(now, saved)), [saved])
  return [draft, setDraft]
}

const noteOf = (draft: FieldDraft, set: Dispatch<SetStateAction<FieldDraft>>) =>
  isOvertaken(draft, null) ? (
    <OvertakenNote
      theirs={draft.saved || 'Nothing'}
      useMine={() => set(rebased)}
      takeTheirs={() => set(draftOf(draft.saved))}
    />
  ) : null
