// In charge of the page of a guest: a name, said once, then the creatives of the link and nothing else of the workspace.
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { allShown, codeOf, type Entered, guestCaller, keep, kept, secretOfAddress, wordsOf } from './guest-api.ts'
import { GuestCreative } from './guest-creative.tsx'
import './guest.css'

export function GuestPage() {
  useDocumentTitle('Review · Atelier')
  const [secret] = useState(secretOfAddress)
  const [entered, setEntered] = useState(() => kept(secret))
  if (secret === '') return <Over words="This address is not whole: open the link as it was sent." />
  if (!entered) {
    const enter = (next: Entered) => {
      keep(secret, next)
      setEntered(next)
    }
    return <Enter secret={secret} enter={enter} />
  }
  return <Gallery entered={entered} />
}

const Over = ({ words }: { words: string }) => (
  <main className="guest guest-small">
    <h1>Review</h1>
    <p role="alert">{words}</p>
  </main>
)

function Enter({ secret, enter }: { secret: string; enter: (entered: Entered) => void }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [asksPassword, setAsksPassword] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isOver, setIsOver] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const body = { link: secret, name: name.trim(), ...(asksPassword ? { password } : {}) }
      enter(await guestCaller('').call('enterAsGuest', { body }))
    } catch (error) {
      setIsOver(codeOf(error) === 'invalid_guest_link')
      // The first time it is only asked for.
      setProblem(codeOf(error) === 'guest_password' && !asksPassword ? null : wordsOf(error))
      if (codeOf(error) === 'guest_password') setAsksPassword(true)
    }
  }
  if (isOver) return <Over words="This link does not hold any more. Ask whoever sent it for another one." />
  return (
    <main className="guest guest-small">
      <h1>You are invited to a review</h1>
      <form onSubmit={(event) => void send(event)}>
        <TextInput
          label="Your name"
          description="It stands beside what you say and decide."
          value={name}
          maxLength={100}
          autoComplete="name"
          size="md"
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {asksPassword ? (
          <PasswordInput
            label="Password of the link"
            value={password}
            maxLength={200}
            size="md"
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        ) : null}
        {problem ? <p role="alert">{problem}</p> : null}
        <Button type="submit" size="md" disabled={name.trim() === '' || (asksPassword && password === '')}>
          Look at it
        </Button>
      </form>
    </main>
  )
}

const minute = 60_000

function Gallery({ entered }: { entered: Entered }) {
  const caller = useMemo(() => guestCaller(entered.token), [entered.token])
  const shown = useQuery({
    queryKey: ['guest', entered.token],
    queryFn: () => allShown(caller),
    retry: false,
    // Addresses of files end after a while.
    refetchInterval: 10 * minute,
  })
  const [openId, setOpenId] = useState<string | null>(null)
  if (shown.isError) return <Over words={wordsOf(shown.error)} />
  if (!shown.data) return <main className="guest guest-small">Loading …</main>
  const at = shown.data.findIndex(({ creative_id }) => creative_id === openId)
  const open = shown.data[at]
  if (open) {
    return (
      <GuestCreative
        key={`${open.creative_id} ${open.file}`}
        creative={open}
        caller={caller}
        place={`${at + 1} of ${shown.data.length}`}
        before={shown.data[at - 1] ? () => setOpenId(shown.data[at - 1]?.creative_id ?? null) : null}
        next={shown.data[at + 1] ? () => setOpenId(shown.data[at + 1]?.creative_id ?? null) : null}
        close={() => setOpenId(null)}
        refresh={() => void shown.refetch()}
      />
    )
  }
  const words = { accepted: 'Accepted', changes_wanted: 'Changes wanted' } as const
  return (
    <main className="guest">
      <h1>For review</h1>
      <p className="hint">You are here as {entered.name}.</p>
      {shown.data.length === 0 ? <p>There is nothing to see yet.</p> : null}
      <ul className="guest-list" aria-label="Creatives">
        {shown.data.map((creative) => (
          <li key={creative.creative_id}>
            <button type="button" onClick={() => setOpenId(creative.creative_id)}>
              {creative.media_type.startsWith('image/') ? (
                <img src={creative.thumbnail_url} alt="" loading="lazy" />
              ) : (
                <span className="guest-file">{creative.media_type}</span>
              )}
              <span>{creative.name}</span>
              {creative.decision ? <strong>{words[creative.decision]}</strong> : null}
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}
