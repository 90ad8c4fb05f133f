// In charge of the mark in the top bar that appears while the browser is offline or the connection for change events is lost.
import { Tooltip } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useLiveState } from '../lib/live-connection.ts'
import { Icon } from '../ui/icons.tsx'

export function LiveMark() {
  const { online } = useNetwork()
  const isLost = useLiveState() === 'lost'
  const words = online ? 'Reconnecting…' : 'Offline'
  return (
    <span role="status">
      {online && !isLost ? null : (
        <Tooltip label="What others do shows again when the connection is back." multiline maw={240}>
          <span className="live-mark">
            <Icon name="offline" size={14} />
            {words}
          </span>
        </Tooltip>
      )}
    </span>
  )
}
