// First names and surnames as they are met in Liberia, for invented people.

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const MEN = words(`
  Abraham Alfred Alpha Amos Anthony Augustine Benjamin Boakai Boima Charles Daniel David Dominic Edwin Eric
  Emmanuel Ezekiel Fayiah Flomo Francis Gabriel George Gibson Harris Henry Ibrahim Isaac Jacob Jallah James
  Jerome John Jonathan Joseph Joshua Junior Kerkula Koffa Kollie Lawrence Lamin Mark Mohammed Morris Moses
  Musa Nathaniel Nyan Othello Patrick Paul Peter Philip Prince Richard Robert Saah Samuel Sekou Solomon
  Stephen Sumo Tamba Thomas Titus Togar Trokon Varney Victor William Wilmot Zubah
`);

export const WOMEN = words(`
  Agnes Annie Beatrice Bendu Blessing Bernice Comfort Cecelia Decontee Deborah Dorothy Elizabeth Esther Evelyn
  Famatta Fatu Finda Garmai Grace Hannah Hawa Helena Jemima Jenneh Josephine Korto Kumba Lorpu Lucy Mamie
  Maima Martha Mary Mercy Miatta Musu Nancy Naomi Oretha Patience Princess Rebecca Ruth Sarah Satta Siah
  Sieta Tenneh Theresa Wokie Yamah Yassah Yei
`);

export const SURNAMES = words(`
  Barclay Bestman Blamo Boakai Bono Borbor Brown Bryant Cephas Chea Cole Collins Cooper David Davies Dahn Dehgar
  Dennis Doe Dolo Doryen Dukuly Fahnbulleh Fallah Farley Flomo Fofana Freeman Gaye Gbanya Gbollie Gborlee
  Geebro Giddings Gongar Goll Gray Harmon Harris Howard Jallah Johnson Jones Kaba Kamara Karmo Karnley Karnga
  Keita Kerkulah Kesselly Kollie Konneh Korkoya Kortu Koroma Kpadeh Kpehe Kpoto Kromah Kuoh Lavela Logan Mansaray
  Massaquoi Mator Mensah Mulbah Nagbe Nimely Nyanti Nyumah Padmore Paye Pewee Quaye Quenneh Roberts Saah Sackie
  Sando Saye Seh Sherif Sieh Sirleaf Smith Suah Sumo Swaray Tarpeh Tarr Teah Thomas Toe Togba Tokpa Toweh Tubman
  Tweh Varmah Varpilah Vesselee Wah Weah Wehyee Wesseh Williams Wolo Wonkeryor Woods Yancy Yarkpawolo Yeke Zaza
  Zayzay Zeon Zinnah Ziah Zoe
`);
