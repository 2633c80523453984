/** Words of the names of foods: what is left aside, what makes another thing of a name, and which forms of a word are one (reading 3.4). */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that say how an ingredient is prepared or sold, not what it is. */
export const PREPARATION = words(`
  baked beaten blanched boiled boneless canned chilled chopped cleaned coarse coarsely cold cooked cooled crumbled crushed cubed cut deveined
  diced drained dried extra fine finely firmly flaked fresh freshly frozen good grated ground halved heaped hulled hot julienned large lean
  level lightly loosely mashed medium melted minced organic packed peeled pitted plain pounded quality quartered range raw rinsed ripe
  roasted rolled roughly scrubbed seeded seedless separated shaved shelled shredded shucked sifted skinless sliced slivered small snipped
  softened soaked squeezed stemless stemmed stoned temperature thawed thick thickly thin thinly tinned toasted torn trimmed unpeeled
  unsalted unsweetened warm washed whipped whole young zested`);

/** Words between the parts of a name that mean nothing alone. */
export const STOP = words('of the a an s and');

/** Where a name ends and a remark begins: `tuna in oil`, `butter or margarine`, `oil for frying`. */
export const REMARK = words('with in for from or to as into plus per each if about on at optional like such');

/** Cuts and portions: left aside at the end of a name, `garlic cloves`, `chicken breast fillets`. */
export const PORTION = words(`
  ball bit chunk clove crumble cube cutlet dice fillet filet flake floret half head heart leaf loin medallion piece portion quarter rasher ring
  segment sheet slice sprig stalk stick strip tip wedge bulb`);

/** Measures, left aside behind a number or before "of". */
export const UNIT = words(`
  bag bar block bottle bowl box branch bulb bunch can carton cl clove cm container cube cup dash dl dozen drizzle drop ear fillet fl g gallon glass gr
  gram handful head inch jar kg kilo kilogram knob l lb liter litre mg ml millilitre milliliter ounce oz pack package packet piece pinch pint pkg
  pound punnet quart rasher rib scoop serving sheet slice splash sprig stalk stem stick strip tablespoon tbs tbsp teaspoon tin tsp tub`);

/** Numbers in words, and what stands before a measure. */
export const NUMBER_WORD = words(
  'a an one two three four five six seven eight nine ten twelve half quarter few several some couple dozen heaped level scant generous',
);

/**
 * What an ingredient is made into. A word before one of them makes another thing of it (peanut butter is no butter), and a name that ends in one
 * is not the ingredient it is made of (apple juice is no apple).
 */
export const FORM = words(`
  bar beer biscuit bouillon bran bread broth bun butter cake candy cheese chip chocolate chutney cider compote concentrate conserve cookie cordial cracker cream
  crisp curd custard dressing drink essence extract fat flour glaze gravy ham honey ice jam jelly jerky juice ketchup kernel leather liqueur marmalade
  meal milk molasse mousse mustard nectar noodle nugget oil pasta paste pastry pesto pickle pie powder preserve puree relish roe roll salad
  salsa sauce sausage seasoning seed shake smoothie soda soup spread sprout starch stew stock stuffing sugar syrup tea vinegar water wine yoghurt`);

/** Words that may be dropped even before a form: where it is from, or that it is good. */
export const DESCRIPTION = words(`
  american asian best brand canadian cheap chinese country cretan english european farm favourite favorite french genuine german greek handmade homemade
  indian irish italian local mexican natural artisan premium pressed pure quality real regular regional sicilian spanish store style tuscan traditional
  turkish unfiltered unrefined refined virgin`);

/** Words of which one name has at most one: red onions are not white ones. */
export const CONTRASTS: readonly ReadonlySet<string>[] = [
  words('red green black white yellow blue brown purple pink golden'),
  words('sweet sour bitter sweetened unsweetened bittersweet'),
  words('salted unsalted'),
  words('fresh dried frozen tinned canned smoked pickled candied cured'),
  words('low reduced light lite skim skimmed semi whole full double'),
  words('dark milk white'),
  words('raw roasted toasted'),
  words('hot mild'),
  words('firm silken soft'),
];

/** Without them it is still the same: `chicken without skin`, `boneless`. */
export const BODY_PARTS = words(
  'skin bone seed stone pit shell stem rind crust peel core head tail vein gill membrane husk hull pod',
);

/** What no vegetarian food holds, and what no vegan food holds beside it. */
export const MEATS = words(`
  meat chicken beef pork ham bacon lamb veal turkey duck goose game fish tuna salmon cod anchovy seafood shellfish shrimp prawn crab lobster gelatin gelatine lard`);
export const OF_ANIMALS = words('animal dairy milk lactose butter cream cheese egg honey casein whey yoghurt ghee');

/** Things that can be said to be absent although nobody would call them that: left aside (`non-stick`, `gmo-free`). */
export const HARMLESS = words(
  'gmo stick iodized iodised additive preservative bpa cage hormone antibiotic pesticide range cruelty',
);

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    leaves: 'leaf',
    loaves: 'loaf',
    halves: 'half',
    calves: 'calf',
    hooves: 'hoof',
    knives: 'knife',
    wolves: 'wolf',
    geese: 'goose',
    feet: 'foot',
    oxen: 'ox',
    algae: 'alga',
    fungi: 'fungus',
    cacti: 'cactus',
    octopi: 'octopus',
    yogurt: 'yoghurt',
    yogurts: 'yoghurt',
    whiskey: 'whisky',
    whiskeys: 'whisky',
    whiskies: 'whisky',
    licorice: 'liquorice',
    filet: 'fillet',
    filets: 'fillet',
    chile: 'chilly',
    chiles: 'chilly',
    chili: 'chilly',
    chilies: 'chilly',
    chilis: 'chilly',
  }),
);

function unplural(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith('oes') && word.length > 5) return word.slice(0, -2);
  if (/(?:ch|sh|x|z|ss)es$/.test(word) || /[^aeo]uses$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

/**
 * Gives one form for singular and plural of a word, the same for all spellings of either: `cherry`, `cherries`; `leaf`, `leaves`; `quiche`, `quiches`.
 * The form need not be a word.
 */
export function stem(word: string): string {
  const known = IRREGULAR.get(word);
  if (known !== undefined) return known;
  return unplural(word)
    .replace(/ie$/, 'y')
    .replace(/(?<=[^aeiou])i$/, 'y')
    .replace(/(?<=ch|sh|x|z)e$/, '');
}

const pairs = (text: string): ReadonlySet<string> =>
  new Set(text.split(',').map((pair) => pair.trim().split(/\s+/).map(stem).join(' ')));

/** Two words that together name something else than the second alone does: neither is taken for the other. */
export const OWN_KIND = pairs(`
  sweet potato, sea cucumber, star anise, water chestnut, horse chestnut, prickly pear, jerusalem artichoke, chinese artichoke, spring onion, green onion,
  bitter melon, winter melon, custard apple, rose apple, passion fruit, dragon fruit, star fruit, bread fruit, jack fruit, sea grape, sea bean, coffee bean,
  cocoa bean, vanilla bean, tonka bean, locust bean, castor bean, jelly bean, water spinach, malabar spinach, ground cherry, egg plant, egg noodle,
  lemon balm, lemon grass, lemon verbena, lemon thyme, chick pea, pigeon pea, butterfly pea, ginger bread, sweet bread, short bread, ginger beer,
  root beer, hot dog, corn dog, head cheese, rice paper, grape fruit, pine apple, crab apple, sea urchin, sea lettuce, wood ear, pine nut, corn salad,
  fruit leather, mountain oyster, prairie oyster, crab stick, fish finger, duck sauce, cocoa butter, shea butter, sugar snap, butter nut, ice cream`);

/** Two words of which the second alone is less than both: pepper may mean black pepper, black pepper is not just any pepper. */
export const NARROWER = pairs(`
  black pepper, white pepper, pink pepper, sichuan pepper, szechuan pepper, lemon pepper, bell pepper, cayenne pepper, sugar pea, snow pea, butter bean, butter lettuce,
  wax bean, kidney bean, mung bean, soy bean, rice noodle, coconut milk, clotted cream, king oyster, oyster mushroom`);
