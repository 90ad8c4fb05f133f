// In charge of the page that lists the members of the workspace and their roles; admins can add members and change roles.

import type { Role } from '@atelier/contract/enums.ts'
import { Button, Menu, NativeSelect, Switch, TextInput } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../lib/api.ts'
import { dateWords } from '../lib/dates.ts'
import { hueOf, initialsOf, personName } from '../lib/people.ts'
import { callerQuery, peopleQuery } from '../lib/queries.ts'
import type { Person } from '../lib/types.ts'
import { Icon } from '../ui/icons.tsx'
import { RowMenu } from '../ui/row-menu.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { tell } from '../ui/toasts.tsx'
import { useGrowing } from '../ui/use-growing.ts'
import { useReloadScroll } from '../ui/use-reload-scroll.ts'
import { AddPerson } from './add-person.tsx'
import { EditPerson } from './edit-person.tsx'
import '../ui/people.css'
import './find-people.css'
import { useWrite } from '../ui/use-write.ts'
import { changedWords } from './changed-words.ts'
import { findPeople, isLong } from './find-people.ts'
import { roleOptions } from './roles.ts'
import { SignInLinkDialog, useLinksOfThisPage, useMakeSignInLink } from './sign-in-link-dialog.tsx'

/** How many rows each animation frame adds. */
const rowsPerFrame = 25

export function PeoplePage() {
  useDocumentTitle('People · Atelier')
  useReloadScroll()
  useLinksOfThisPage()
  const people = useQuery(peopleQuery)
  const caller = useQuery(callerQuery).data
  const [adding, setAdding] = useState(false)
  const [wanted, setWanted] = useState('')
  const isAdmin = caller?.scopes.includes('admin') ?? false
  if (people.isPending) return <Loading what="the people" />
  if (!people.data) return <Failed error={people.error} retry={() => void people.refetch()} />
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>People</h1>
          <p>
            Readers see everything, writers also work on tasks, creatives and runs, admins also manage people and
            tokens.
          </p>
        </div>
        {isAdmin ? (
          <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setAdding(true)}>
            Add a person
          </Button>
        ) : null}
      </div>
      {isLong(people.data) ? (
        <TextInput
          className="find-person"
          aria-label="Find a person"
          placeholder="Find by name or address"
          leftSection={<Icon name="search" size={14} />}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      ) : null}
      <PeopleTable
        people={isLong(people.data) ? findPeople(people.data, wanted) : people.data}
        isAdmin={isAdmin}
        me={caller?.user?.id ?? null}
      />
      <AddPerson opened={adding} close={() => setAdding(false)} />
      <SignInLinkDialog />
    </div>
  )
}

type TableProps = { people: readonly Person[]; isAdmin: boolean; me: string | null }

function PeopleTable({ people, isAdmin, me }: TableProps) {
  const drawn = useGrowing(people.length, rowsPerFrame)
  if (people.length === 0) return <Empty icon="search" title="Nobody is called so" />
  return (
    <div className="panel">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className="wide-cell">
              Email
            </th>
            <th scope="col">Role</th>
            <th scope="col">Active</th>
            <th scope="col" className="wide-cell">
              Since
            </th>
            {isAdmin ? (
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {people.slice(0, drawn).map((person) => (
            <Row key={person.id} person={person} isAdmin={isAdmin} isMe={person.id === me} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = { person: Person; isAdmin: boolean; isMe: boolean }
type Change = { role?: Role; active?: boolean }

function Row({ person, isAdmin, isMe }: RowProps) {
  const name = personName(person)
  const [editing, setEditing] = useState(false)
  const change = useWrite({
    write: (body: Change) => call('patchUser', { params: { user_id: person.id }, body }),
    list: peopleQuery.queryKey,
    done: (changed) => tell(changedWords(person, changed)),
    scope: `person ${person.id}`,
  })
  const { role, active } = change.isPending ? { ...person, ...change.variables } : person
  const makeSignInLink = useMakeSignInLink()
  return (
    <tr data-off={!person.active || undefined}>
      <th scope="row">
        <span className="who-cell">
          <span className="avatar" data-size="lg" data-hue={hueOf(person.id)} aria-hidden="true">
            {initialsOf(person.name)}
          </span>
          {name}
          {isMe ? <span className="mark">you</span> : null}
        </span>
      </th>
      <td className="wide-cell">{person.email ?? '–'}</td>
      <td>
        <RoleChoice name={name} role={role} disabled={!isAdmin} change={(role) => change.mutate({ role })} />
      </td>
      <td>
        <Switch
          size="xs"
          aria-label={`${name} has access`}
          checked={active}
          disabled={!isAdmin}
          onChange={(event) => change.mutate({ active: event.currentTarget.checked })}
        />
      </td>
      <td className="wide-cell">{dateWords(person.created_at)}</td>
      {isAdmin ? (
        <td className="row-actions">
          <RowMenu label={`Menu of ${name}`} width={220}>
            <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setEditing(true)}>
              Edit name and address
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="link" />}
              disabled={!person.active}
              onClick={() => void makeSignInLink({ id: person.id, name })}
            >
              Make a sign-in link
            </Menu.Item>
          </RowMenu>
          {editing ? <EditPerson person={person} close={() => setEditing(false)} /> : null}
        </td>
      ) : null}
    </tr>
  )
}

type RoleProps = { name: string; role: Role; disabled: boolean; change: (role: Role) => void }

/**
 * A choice with the mouse is saved at once. Keys walk through the roles, and what they come by must not be given: it is saved with
 * Enter, or when the field is left. Escape goes back to the role that the person has.
 */
function RoleChoice({ name, role, disabled, change }: RoleProps) {
  const [walkedTo, setWalkedTo] = useState<Role | null>(null)
  const isByKey = useRef(false)
  const settle = () => {
    isByKey.current = false
    setWalkedTo(null)
    if (walkedTo !== null && walkedTo !== role) change(walkedTo)
  }
  return (
    <NativeSelect
      size="xs"
      w={110}
      aria-label={`Role of ${name}`}
      data={roleOptions.map(({ value, label }) => ({ value, label }))}
      value={walkedTo ?? role}
      disabled={disabled}
      onPointerDown={() => {
        isByKey.current = false
      }}
      onKeyDown={({ key }) => {
        isByKey.current = true
        if (key === 'Enter') settle()
        if (key === 'Escape') setWalkedTo(null)
      }}
      onBlur={settle}
      onChange={({ currentTarget }) => {
        const chosen = roleOptions.find(({ value }) => value === currentTarget.value)
        if (!chosen) return
        if (isByKey.current) setWalkedTo(chosen.value)
        else change(chosen.value)
      }}
    />
  )
}
