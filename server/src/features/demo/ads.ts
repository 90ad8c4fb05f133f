// In charge of the ads that the demo's creatives have as files: the picture and the text of each ad, in the language of its task.
// The ads were drawn once by `scripts/demo-pictures`, and are stored as WebP in the folder `ads` beside this file.
import type { PhotoName } from '../../nodes/images/photos.ts'
import type { ProductKey } from './story.ts'

type DemoAd = { photo: PhotoName; headline: string; action: string; body?: string; offer?: string; kicker?: string }

/** The brand name, colors and font in the ads of each product. */
export const looks: Record<ProductKey, { brand: string; primary: string; accent: string; family: string }> = {
  quiltern: { brand: 'Quiltern', primary: '#12355b', accent: '#f6c453', family: 'Bricolage Grotesque' },
  tuckerfen: { brand: 'Tuckerfen', primary: '#1f4a3d', accent: '#f2a13c', family: 'Playfair Display' },
  verbanook: { brand: 'Verbanook', primary: '#3730a3', accent: '#ff8163', family: 'Inter' },
}

/**
 * The ads of each task, by the task's key. A task with more creatives than ads uses its ads several times. The ad of a video is the
 * first frame of the video.
 */
export const demoAds: Partial<Record<string, readonly [DemoAd, ...DemoAd[]]>> = {
  'meme-bol': [
    { photo: 'bowl', headline: 'Le même bol, moins de mystère', action: 'Voir la recette' },
    { photo: 'ingredients', headline: 'Tout ce qu’il y a dedans, vous le voyez', action: 'Voir la recette' },
  ],
  'sleeper-quiz': [
    { photo: 'bed', headline: 'Which hot sleeper are you?', action: 'Take the quiz', kicker: '5 questions' },
    { photo: 'clock', headline: 'Awake at 3 again? There is a type for that.', action: 'Take the quiz' },
  ],
  'pillow-flip-de': [
    { photo: 'clock', headline: 'Um drei schon wieder wach?', action: 'Kühler schlafen' },
    { photo: 'bed', headline: 'Dreh das Kissen nicht mehr um', action: 'Jetzt testen' },
  ],
  'vet-explainer': [
    { photo: 'ingredients', headline: 'What a nutritionist looks for in a bowl', action: 'See the recipe' },
    { photo: 'bowl', headline: 'Read the bowl, not the bag', action: 'See the recipe' },
  ],
  'price-per-bowl': [
    { photo: 'bowl', headline: 'Dinner, cooked for dogs', offer: '£1.90 a bowl', action: 'Build a box' },
    { photo: 'pack', headline: 'Less than your coffee', offer: '£1.90 a bowl', action: 'Build a box' },
  ],
  'en-blanco': [
    { photo: 'cafe', headline: 'Me quedé en blanco', action: 'Habla desde hoy' },
    { photo: 'bubbles', headline: 'Sabías la palabra. No salió.', action: 'Habla desde hoy' },
  ],
  grandmother: [
    { photo: 'bubbles', headline: 'I learned enough to argue with my grandmother', action: 'Start talking' },
    { photo: 'cafe', headline: 'She won. In Italian.', action: 'Start talking' },
  ],
  'one-word-cool': [
    { photo: 'duvets', headline: '4,000 reviews, one word: cool', action: 'Read them' },
    { photo: 'bed', headline: '“Cool.” Still cool in August.', action: 'Read them' },
  ],
  'vet-claim': [
    { photo: 'pack', headline: 'Cooked fresh, sent cold', action: 'Try box one' },
    { photo: 'bowl', headline: 'Meat, carrots, peas. Done.', action: 'Try box one' },
  ],
  'cafe-playable': [{ photo: 'cafe', headline: 'Order it without English', action: 'Play', kicker: '3 taps' }],
  receipts: [
    { photo: 'duvets', headline: 'Seven cheap duvets against one', offer: '10 years', action: 'Do the maths' },
    { photo: 'bed', headline: 'Buy warm seven times, or cool once', action: 'Do the maths' },
  ],
  'bowl-asmr': [
    { photo: 'bowl', headline: 'Sound on: fourteen seconds of dinner', action: 'Listen' },
    { photo: 'ingredients', headline: 'Crunch. Crunch. Gone.', action: 'Listen' },
  ],
  'my-dog-would-never': [
    { photo: 'pack', headline: '“My dog would never.” He did.', action: 'Try box one' },
    { photo: 'bowl', headline: 'Picky? Watch this bowl.', action: 'Try box one' },
  ],
  'eleven-minutes': [
    { photo: 'phone', headline: 'Elf Minuten U-Bahn', action: 'Jetzt sprechen' },
    { photo: 'bubbles', headline: 'Elf Minuten am Tag, laut', action: 'Jetzt sprechen' },
  ],
  'pillow-flip': [
    { photo: 'bed', headline: 'Stop flipping the pillow', action: 'Find your cool side' },
    { photo: 'clock', headline: '03:07. Again.', action: 'Find your cool side' },
    { photo: 'duvets', headline: 'Both sides are the cool side', action: 'Find your cool side' },
  ],
  'label-reader': [
    { photo: 'ingredients', headline: 'What “meat derivatives” means', action: 'Read ours' },
    { photo: 'pack', headline: 'A label a dog could read', action: 'Read ours' },
  ],
  'you-froze': [
    { photo: 'cafe', headline: 'You know the word. You just froze.', action: 'Speak today' },
    { photo: 'phone', headline: 'Practise the second before you answer', action: 'Speak today' },
    { photo: 'bubbles', headline: 'On the tip of your tongue? Say it.', action: 'Speak today' },
  ],
  'day-21': [
    { photo: 'bowl', headline: 'Day 1 and day 21 of the switch', action: 'Start the switch' },
    { photo: 'pack', headline: 'Three weeks. One bowl a day.', action: 'Start the switch' },
  ],
  'two-thermostats': [
    { photo: 'bed', headline: 'One bed, two thermostats', action: 'Sleep cooler' },
    { photo: 'duvets', headline: 'He freezes. She melts. Both sleep.', action: 'Sleep cooler' },
  ],
  'travel-page': [
    { photo: 'phone', headline: 'Ten days until the flight', action: 'Get the app' },
    { photo: 'cafe', headline: 'Order the second coffee, too', action: 'Get the app' },
  ],
  'pillow-flip-wide': [{ photo: 'bed', headline: 'Stop flipping the pillow', action: 'Find your cool side' }],
  'hundred-nights': [
    { photo: 'duvets', headline: '100 nights or your money back', offer: '100 nights', action: 'Try it at home' },
  ],
  'connected-tv': [{ photo: 'bowl', headline: 'Six o’clock in eleven kitchens', action: 'See the menu' }],
  streak: [{ photo: 'phone', headline: 'Your streak is not Spanish', action: 'Say something' }],
  'asmr-fold': [{ photo: 'duvets', headline: 'Fold, shake, settle', action: 'Listen' }],
  'made-bed': [{ photo: 'bed', headline: 'Made bed, no words', action: 'Sleep cooler' }],
  'raw-or-cooked': [{ photo: 'ingredients', headline: 'Raw or cooked? Pick a side', action: 'Vote' }],
  'new-year': [{ photo: 'bubbles', headline: 'New year, new tongue', action: 'Start talking' }],
}

/** Returns the file name of an ad: `place` is the ad's position among the ads of its task, counted from 1. */
export const adFile = (task: string, place: number): string => `${task}-${place}.webp`
