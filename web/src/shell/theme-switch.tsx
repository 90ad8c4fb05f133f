// In charge of the button that switches the colour scheme: light, dark, or the same as the system.
import { ActionIcon, type MantineColorScheme, Tooltip, useMantineColorScheme } from '@mantine/core'
import { Icon, type IconName } from '../ui/icons.tsx'

const schemes: Record<MantineColorScheme, { next: MantineColorScheme; icon: IconName; label: string }> = {
  auto: { next: 'light', icon: 'auto', label: 'Colours: as the system has them' },
  light: { next: 'dark', icon: 'sun', label: 'Colours: light' },
  dark: { next: 'auto', icon: 'moon', label: 'Colours: dark' },
}

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { next, icon, label } = schemes[colorScheme]
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={() => setColorScheme(next)}>
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  )
}
