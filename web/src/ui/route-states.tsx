// In charge of addresses that lead nowhere, of pages that are on their way, and of pages that broke.
import { Anchor, Button } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Empty, Failed, Loading } from './states.tsx'

export function NoSuchPage() {
  return (
    <>
      <h1 className="visually-hidden">No such page</h1>
      <Empty
        icon="link"
        title="There is no such page"
        action={<Anchor renderRoot={(props) => <Link to="/" {...props} />}>Go to the board</Anchor>}
      >
        The address may be mistyped, or what it led to is gone.
      </Empty>
    </>
  )
}

export const PageComes = () => <Loading what="the page" />

export function PageFailed({ error, reset }: ErrorComponentProps) {
  return (
    <div>
      <Failed error={error} retry={reset} />
      <div className="state">
        <Button variant="subtle" onClick={() => location.assign('/')}>
          Go to the board
        </Button>
      </div>
    </div>
  )
}
