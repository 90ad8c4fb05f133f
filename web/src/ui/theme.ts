// In charge of Mantine's theme: one accent colour, one typeface, and the neutral colours of `tokens.css`.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { ClearButton } from './clear-button.tsx'
import { keepEnterInList } from './keep-enter-in-list.ts'
import { SteadyButton } from './steady-button.tsx'

const accent: MantineColorsTuple = [
  '#eef0fb',
  '#dadef5',
  '#b4bbea',
  '#98a3f0',
  '#8490ee',
  '#6472dc',
  '#4453c4',
  '#3946ab',
  '#2f3a90',
  '#252e74',
]

/** A red with shades that are dark enough for text. */
const red: MantineColorsTuple = [
  '#fbe9ec',
  '#f8d5db',
  '#f4b4bf',
  '#f4899a',
  '#e8687d',
  '#cf4560',
  '#b42a40',
  '#9c2336',
  '#821d2d',
  '#681724',
]

/** The greys of Mantine's components in dark mode; they are the greys of the page. */
const dark: MantineColorsTuple = [
  '#d3d7e0',
  '#b7bdc9',
  '#a5adbd',
  '#6d7686',
  '#3f4653',
  '#2d323c',
  '#22262e',
  '#1d2027',
  '#171a1f',
  '#121418',
]

/**
 * The events that close a menu or a list when they happen outside it. They are listened for before the page handles them: the canvas
 * of graphs keeps `mousedown` and `touchstart` from the document, and some `pointerdown` too.
 */
export const outsidePresses: string[] = ['pointerdown']

const choice = { size: 'sm', comboboxProps: { shadow: 'md' }, onKeyDown: keepEnterInList }

/**
 * The chosen option stays chosen if it is chosen again, for example by Enter in a list that the Tab key has opened. A field that may
 * be empty has a button for that.
 */
const oneChoice = { ...choice, allowDeselect: false }

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  colors: { accent, dark, red },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.5' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs', component: SteadyButton } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true, fz: 'xs' } },
    InputClearButton: { defaultProps: { component: ClearButton } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] } },
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { ...oneChoice, checkIconPosition: 'right' } },
    MultiSelect: { defaultProps: choice },
    Textarea: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close the message' } } },
    Popover: { defaultProps: { clickOutsideEvents: outsidePresses, clickOutsideCapture: true } },
    // An opened menu focuses its first item. Mantine would focus a hidden placeholder, which ARIA does not allow inside a menu.
    Menu: {
      defaultProps: {
        ...{ shadow: 'md', position: 'bottom-end', withInitialFocusPlaceholder: false, menuItemTabIndex: 0 },
        ...{ clickOutsideEvents: [...outsidePresses, 'keydown'], clickOutsideCapture: true },
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.35 },
        closeButtonProps: { 'aria-label': 'Close' },
        // Without this role, a screen reader would take the header of a dialog for the banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
    },
  },
})

/** Sets Mantine's neutral colours to those of the page. */
export const variables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-2)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-anchor': 'var(--accent-text)',
    '--mantine-color-gray-light-hover': 'var(--hover)',
    '--mantine-color-gray-light-color': 'var(--text-2)',
  }
  return { variables: {}, light: shared, dark: shared }
}
