// In charge of the guest page: it asks for the guest's name once, and then shows the creatives of the guest link and nothing else.
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { wordsOf } from '../lib/errors.ts'
import { askAboutDrafts } from '../lib/kept-drafts.ts'
import { Icon } from '../ui/icons.tsx'
import {
  allShown,
  codeOf,
  type Entered,
  forget,
  guestCaller,
  isOnlyLink,
  keep,
  kept,
  type Shown,
  secretOfAddress,
} from './guest-api.ts'
import { GuestCreative } from './guest-creative.tsx'
import { draftsOf, isDraftOf, takeFormerTexts } from './guest-drafts.ts'
import { mediaKind } from './media-kind.ts'
import './guest.css'

const route = getRouteApi('/guest')

export function GuestPage() {
  useDocumentTitle('Review · Atelier')
  const secret = useSyncExternalStore(listenToHash, secretOfAddress)
  if (secret === '') return <OfNoLink />
  return <OfLink key={secret} secret={secret} />
}

/** Links of guests differ in their fragments only: a browser that opens another one in the same tab does not load the page again. */
function listenToHash(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

function OfNoLink() {
  useAskAbout(null)
  return <Over words="This address is not whole: open the link as it was sent." />
}

/**
 * Makes the browser ask only about texts of the guest with these drafts before it closes the page: those of other guests of this tab
 * are not shown, so that nobody could say whether they may be lost.
 */
const useAskAbout = (drafts: string | null) =>
  useEffect(() => askAboutDrafts((key) => drafts !== null && isDraftOf(drafts, key)), [drafts])

function OfLink({ secret }: { secret: string }) {
  // The former texts are taken before the fields are shown, which read them.
  const [entered, setEntered] = useState(() => {
    const known = kept(secret)
    if (known) takeFormerTexts(draftsOf(secret, known), isOnlyLink(secret))
    return known
  })
  const drafts = entered ? draftsOf(secret, entered) : null
  useAskAbout(drafts)
  if (!entered || drafts === null) {
    const enter = (next: Entered) => {
      keep(secret, next)
      takeFormerTexts(draftsOf(secret, next), isOnlyLink(secret))
      setEntered(next)
    }
    return <Enter secret={secret} enter={enter} />
  }
  const leave = () => {
    forget(secret)
    setEntered(null)
  }
  return <Gallery entered={entered} drafts={drafts} leave={leave} />
}

/** `act`: what the guest can do about it; missing if nothing helps. */
type OverProps = { words: string; act?: { label: string; run: () => void; isBusy?: boolean } }

const Over = ({ words, act }: OverProps) => (
  <main className="guest guest-small">
    <h1 tabIndex={-1} ref={focusNow}>
      Review
    </h1>
    <p role="alert">{words}</p>
    {act ? (
      <Button variant="default" size="md" loading={act.isBusy ?? false} onClick={act.run}>
        {act.label}
      </Button>
    ) : null}
  </main>
)

function Enter({ secret, enter }: { secret: string; enter: (entered: Entered) => void }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [asksPassword, setAsksPassword] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  /** Why nobody can enter by the link, in the words of the service; null if somebody may. */
  const [over, setOver] = useState<string | null>(null)
  const [isSent, setIsSent] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setIsSent(true)
    try {
      const body = { link: secret, name: name.trim(), ...(asksPassword ? { password } : {}) }
      enter(await guestCaller('').call('enterAsGuest', { body }))
    } catch (error) {
      setOver(codeOf(error) === 'invalid_guest_link' ? wordsOf(error) : null)
      // When the service first says that the link needs a password, the form only adds a field for it, and shows no error message.
      setProblem(codeOf(error) === 'guest_password' && !asksPassword ? null : wordsOf(error))
      if (codeOf(error) === 'guest_password') setAsksPassword(true)
      setIsSent(false)
    }
  }
  if (over !== null) return <Over words={over} />
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
            // The field appears when the guest has pressed the button, which loses the focus.
            autoFocus
            label="Password of the link"
            value={password}
            maxLength={200}
            size="md"
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        ) : null}
        {problem ? <p role="alert">{problem}</p> : null}
        <Button
          type="submit"
          size="md"
          loading={isSent}
          disabled={name.trim() === '' || (asksPassword && password === '')}
        >
          Look at it
        </Button>
      </form>
    </main>
  )
}

const minute = 60_000

type GalleryProps = { entered: Entered; drafts: string; leave: () => void }

function Gallery({ entered, drafts, leave }: GalleryProps) {
  const caller = useMemo(() => guestCaller(entered.token), [entered.token])
  const shown = useQuery({
    queryKey: ['guest', entered.token],
    queryFn: () => allShown(caller),
    // Reads the creatives again from time to time, because the URLs of their files expire.
    refetchInterval: 10 * minute,
  })
  const { creative: openId } = route.useSearch()
  const navigate = route.useNavigate()
  const lastId = useRef<string | null>(null)
  // Either the link is over, or the service does not know this browser's token any more, as after a backup was restored. Only
  // entering again tells which.
  if (codeOf(shown.error) === 'invalid_guest_link') {
    return <Over words={wordsOf(shown.error)} act={{ label: 'Enter again', run: leave }} />
  }
  // What was read before is shown further if it cannot be read again: the guest may be writing a comment.
  if (!shown.data && shown.isError) {
    const act = { label: 'Try again', run: () => void shown.refetch(), isBusy: shown.isFetching }
    return <Over words={wordsOf(shown.error)} act={act} />
  }
  if (!shown.data) return <main className="guest guest-small">Loading …</main>
  // `hash: true` keeps the fragment of the address, which contains the secret of the guest link.
  const lead = (creative: string | undefined, replace: boolean) =>
    void navigate({ search: creative === undefined ? {} : { creative }, hash: true, replace })
  const at = shown.data.findIndex(({ creative_id }) => creative_id === openId)
  const open = shown.data[at]
  if (open) {
    lastId.current = open.creative_id
    const leadTo = (other: Shown | undefined) => (other ? () => lead(other.creative_id, true) : null)
    return (
      <GuestCreative
        key={open.creative_id}
        creative={open}
        caller={caller}
        drafts={drafts}
        place={`${at + 1} of ${shown.data.length}`}
        before={leadTo(shown.data[at - 1])}
        next={leadTo(shown.data[at + 1])}
        close={() => lead(undefined, true)}
        refresh={() => void shown.refetch()}
      />
    )
  }
  return (
    <main className="guest">
      <h1 tabIndex={-1} ref={focusNow}>
        For review
      </h1>
      <p className="hint">You are here as {entered.name}.</p>
      {shown.data.length === 0 ? <p>There is nothing to see yet.</p> : null}
      <ul className="guest-list" aria-label="Creatives">
        {shown.data.map((creative) => (
          <Tile
            key={creative.creative_id}
            creative={creative}
            isLast={creative.creative_id === lastId.current}
            open={() => lead(creative.creative_id, false)}
          />
        ))}
      </ul>
    </main>
  )
}

const decided = { accepted: 'Accepted', changes_wanted: 'Changes wanted' } as const
/**
 * Focuses the heading of the list after the guest has entered, since the pressed button is gone; and the tile of the creative that
 * the guest opened last, when the guest returns from it. React calls this for the heading first, so that the tile keeps the focus.
 */
const focusNow = (element: HTMLElement | null): void => element?.focus()

function Tile({ creative, isLast, open }: { creative: Shown; isLast: boolean; open: () => void }) {
  const { media_type, thumbnail_url, name, decision } = creative
  const { icon, words } = mediaKind(media_type)
  return (
    <li>
      <button type="button" ref={isLast ? focusNow : null} onClick={open}>
        {media_type.startsWith('image/') ? (
          <img src={thumbnail_url} alt="" loading="lazy" />
        ) : (
          <span className="guest-file">
            <Icon name={icon} size={32} />
            {words}
          </span>
        )}
        <span>{name}</span>
        {decision ? <strong data-decision={decision}>{decided[decision]}</strong> : null}
      </button>
    </li>
  )
}
