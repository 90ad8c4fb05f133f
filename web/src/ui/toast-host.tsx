// In charge of where short messages are shown: above everything else, inside a modal dialog if one is open.
import { Notifications } from '@mantine/notifications'
import { useTopLayer } from './top-layer.ts'

export function ToastHost() {
  const top = useTopLayer()
  const place = top === null ? {} : { portalProps: { target: top } }
  // Mantine does not follow a changed target: the host is mounted anew, with the present messages.
  return (
    <Notifications
      key={top === null ? 'page' : 'dialog'}
      position="bottom-center"
      limit={3}
      containerWidth={460}
      zIndex={400}
      {...place}
    />
  )
}
