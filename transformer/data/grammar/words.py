"""The words of the grammar, as tables: English, Chinese, and what goes with what.

A noun carries tags; wherever nouns are listed, a tag or a name stands for them, and a minus sign
leaves one out. An underscore joins words that belong together.
"""

# Singular, plural, Chinese, measure word, tags.
COUNTED = """
farmer farmers 農夫 位 person adult
doctor doctors 醫生 位 person adult job mine
nurse nurses 護理師 位 person adult
driver drivers 司機 位 person adult
actor actors 演員 位 person adult star
singer singers 歌手 位 person adult star
teacher teachers 老師 位 person job mine title
boss bosses 老闆 位 person job mine title
student students 學生 位 person young
girl girls 女孩 個 person young kid
boy boys 男孩 個 person young kid
child children 孩子 個 person young kid
cat cats 貓 隻 animal pet
dog dogs 狗 隻 animal pet
rabbit rabbits 兔子 隻 animal pet
bird birds 鳥 隻 animal pet
horse horses 馬 匹 animal
cow cows 牛 頭 animal
monkey monkeys 猴子 隻 animal
butterfly butterflies 蝴蝶 隻 insect
fish fish 魚 條 fish
apple apples 蘋果 顆 fruit few
banana bananas 香蕉 根 fruit few
mango mangoes 芒果 顆 fruit few
pineapple pineapples 鳳梨 顆 fruit few
guava guavas 芭樂 顆 fruit few
tomato tomatoes 番茄 顆 fruit few
potato potatoes 馬鈴薯 顆 few
egg eggs 蛋 顆 few
cake cakes 蛋糕 個 dish
bento bentos 便當 個 dish few
sandwich sandwiches 三明治 個 dish few
dumpling dumplings 水餃 顆 dish few
book books 書 本 print mine few
novel novels 小說 本 print mine few
magazine magazines 雜誌 本 print mine few
newspaper newspapers 報紙 份 print
letter letters 信 封 text
story stories 故事 個 text
poem poems 詩 首 text
coat coats 外套 件 clothes mine
shirt shirts 襯衫 件 clothes mine
sweater sweaters 毛衣 件 clothes mine
dress dresses 洋裝 件 clothes
skirt skirts 裙子 條 clothes
hat hats 帽子 頂 thing mine
car cars 車 輛 vehicle large mine
bicycle bicycles 腳踏車 輛 vehicle large mine
scooter scooters 機車 輛 vehicle large mine
table tables 桌子 張 furniture large
chair chairs 椅子 張 furniture large
bed beds 床 張 furniture large
refrigerator refrigerators 冰箱 台 furniture large
computer computers 電腦 台 device large mine
camera cameras 相機 台 device thing mine
phone phones 手機 支 device thing mine
pen pens 筆 支 thing mine few
umbrella umbrellas 雨傘 把 thing mine
backpack backpacks 背包 個 thing mine
box boxes 箱子 個 box
plate plates 盤子 個 plate
gift gifts 禮物 份 gift
flower flowers 花 朵 flower few
tree trees 樹 棵 tree
house houses 房子 間 house large
"""

# English, Chinese, what it is served in, tags.
SERVED = """
coffee 咖啡 cup drink hot
tea 茶 cup drink hot
milk 牛奶 cup,bottle drink hot
soy_milk 豆漿 cup,bottle drink hot
bubble_tea 珍珠奶茶 cup drink
juice 果汁 cup,bottle drink
water 水 cup,bottle drink hot
fried_rice 炒飯 plate served
beef_noodles 牛肉麵 bowl served
"""

# Singular, plural, measure word.
CONTAINERS = """
cup cups 杯
bottle bottles 瓶
bowl bowls 碗
plate plates 盤
"""

# English | before a noun | after 很 | comparative | whether one says "too" of it | nouns.
# What is missing is a hyphen; what starts with 是 takes no 很.
ADJECTIVES = """
old | 老 | 老 | - | no | cat dog horse cow monkey tree
old | 老 | - | - | no | farmer
old | 舊 | 舊 | - | too | vehicle clothes furniture device backpack umbrella hat
new | 新 | 是新的 | - | no | vehicle clothes furniture device backpack umbrella hat pen book house
young | 年輕的 | 年輕 | younger | no | adult teacher boss
famous | 有名的 | 有名 | more_famous | no | star doctor
kind | 親切的 | 親切 | kinder | no | job nurse driver farmer
smart | 聰明的 | 聰明 | smarter | no | young teacher dog monkey
tall | 個子很高的 | 高 | taller | no | adult teacher boss student
tall | 很高的 | 高 | taller | no | kid tree
cute | 可愛的 | 可愛 | cuter | no | pet kid monkey
beautiful | 漂亮的 | 漂亮 | more_beautiful | no | clothes flower insect bird house backpack hat
big | 大 | 大 | bigger | too | dog fish fruit potato cake furniture box backpack house tree
small | 小 | 小 | smaller | too | fish fruit potato cake furniture box backpack -tomato
fresh | 新鮮的 | 新鮮 | fresher | no | fruit fish egg
delicious | 好吃的 | 好吃 | more_delicious | no | fruit dish served fish
delicious | 好喝的 | 好喝 | more_delicious | no | drink -water
sweet | 很甜的 | 甜 | sweeter | too | fruit cake -tomato
hot | 熱 | 是熱的 | - | no | hot
cold | 冰 | 是冰的 | - | no | drink
interesting | 有趣的 | 有趣 | more_interesting | no | print text -newspaper -letter
long | 很長的 | 長 | longer | too | text novel skirt
expensive | 很貴的 | 貴 | more_expensive | too | vehicle clothes device furniture backpack hat house
cheap | 便宜的 | 便宜 | cheaper | no | vehicle clothes device furniture backpack hat fruit dish
heavy | 很重的 | 重 | heavier | too | furniture device box backpack -phone
clean | 乾淨的 | 乾淨 | cleaner | no | clothes vehicle plate backpack table chair
dirty | 很髒的 | 髒 | - | too | clothes vehicle plate backpack table chair
red | 紅色的 | 是紅色的 | - | no | clothes vehicle flower backpack umbrella hat chair apple
white | 白色的 | 是白色的 | - | no | clothes vehicle flower backpack hat chair plate cat dog rabbit bird
black | 黑色的 | 是黑色的 | - | no | clothes vehicle backpack umbrella hat device pen cat dog bird horse
blue | 藍色的 | 是藍色的 | - | no | clothes vehicle backpack umbrella hat pen bird insect
yellow | 黃色的 | 是黃色的 | - | no | clothes vehicle flower umbrella bird insect
"""  # noqa: E501

# Name | English | Chinese, after 在.
PLACES = """
park | in the park | 公園
school | at school | 學校
market | at the market | 市場
night_market | at the night market | 夜市
store | at the store | 商店
restaurant | at the restaurant | 餐廳
office | at the office | 辦公室
hospital | at the hospital | 醫院
library | in the library | 圖書館
station | at the station | 車站
kitchen | in the kitchen | 廚房
beach | at the beach | 海邊
home | at home | 家裡
tree | under the tree | 樹下
taipei | in taipei | 台北
tainan | in tainan | 台南
hualien | in hualien | 花蓮
"""

# English | Chinese, before 有 | nouns that may be there.
SPOTS = """
on the table | 桌子上 | print letter thing fruit dish plate cat drink flower
on the chair | 椅子上 | clothes backpack hat umbrella cat
under the table | 桌子下面 | cat dog box backpack
under the tree | 樹下 | dog rabbit cow horse bicycle kid
in the box | 箱子裡 | print letter clothes plate camera
in the backpack | 背包裡 | print letter phone camera pen umbrella
in the refrigerator | 冰箱裡 | fruit egg dish fish drink
in the park | 公園裡 | kid student animal tree flower
in the kitchen | 廚房裡 | furniture plate -bed
in the library | 圖書館裡 | student computer print
at school | 學校裡 | student teacher kid tree
at the restaurant | 餐廳裡 | driver actor singer student
"""

# Forms | Chinese | aspects | subjects | objects | places.
# Aspects: past, future, habitual, progressive (g), want to and should (w), stative; k marks what 會
# alone would call a skill. A verb without 了 does without it in the past too; what + parts is said
# of the past alone (修好了). A name of its own comes first where one English verb is two in Chinese
# (包水餃, 做蛋糕).
VERBS = """
buy buys bought buying | 買了 | pfw | person | fruit few dish drink print clothes vehicle furniture device thing flower fish gift house | market night_market store taipei tainan
sell sells sold selling | 賣了 | pfhg | adult boss | fruit few dish drink clothes vehicle flower fish backpack hat umbrella -book -novel -magazine -pen | market night_market store taipei tainan
eat eats ate eating | 吃了 | pfhgw | person animal | fruit dish egg fish served | restaurant night_market school office park home
drink drinks drank drinking | 喝了 | pfhgw | person | drink | restaurant night_market school office park home
read reads read reading | 看了 | pfhgwk | person | print letter | library park home school office station tree
write writes wrote writing | 寫了 | pfhgwk | person | letter story poem novel book | library home school office
draw draws drew drawing | 畫了 | pfgwk | person | animal insect flower tree house fish | park home school beach
wash washes washed washing | 洗了 | pfgw | person | clothes vehicle plate apple tomato guava potato | home
wear wears wore wearing | 穿了 | pfw | person | clothes |
see sees saw seeing | 看見了 | pf | person animal | person animal insect vehicle fish | park school market station beach tainan
find finds found finding | 找到了 | pf | person | thing phone pet letter book novel box | park school station office beach
make makes made making | 做了 | pfhgwk | person | dish chair table dress -dumpling | home kitchen
wrap make makes made making | 包了 | pfhgwk | person | dumpling | home kitchen
ride rides rode riding | 騎了 | pfgwk | person | bicycle scooter horse | park beach hualien
borrow borrows borrowed borrowing | 借了 | pfw | person | book novel magazine umbrella bicycle scooter camera computer pen chair car plate | library school office
feed feeds fed feeding | 餵了 | pfgw | person | animal | park home
help helps helped helping | 幫了 | pfw | person | person | school hospital market station
fix fixes fixed fixing | 修+好了 | pfgwk | person | vehicle device chair table bed refrigerator umbrella backpack | home office
like likes liked liking | 喜歡 | s | person animal | person animal fruit dish drink print text clothes flower fish vehicle served -letter |
know knows knew knowing | 認識 | s | person | person |
want wants wanted wanting | 想要 | s | person | fruit dish drink clothes vehicle device refrigerator thing gift pet print |
need needs needed needing | 需要 | s | person | device furniture thing box plate coat sweater vehicle egg potato print -newspaper |
sleep sleeps slept sleeping | 睡覺 | pfgk | person animal | | home tree park
work works worked working | 工作 | pfhgwk | adult teacher boss | | hospital school restaurant office store home market taipei tainan
run runs ran running | 跑步 | pfhgwk | person | | park school beach
swim swims swam swimming | 游泳 | pfhgwk | person | | beach school hualien
sing sings sang singing | 唱歌 | pfhgwk | person | | park school beach home restaurant
dance dances danced dancing | 跳舞 | pfhgwk | person | | park school beach home
rest rests rested resting | 休息 | pfgwk | person animal | | park home tree beach
cry cries cried crying | 哭了 | pg | kid student nurse singer | | school park home hospital station
go goes went going | 去了 | pfhw | person | |
give gives gave giving | 給了 | pfw | person | flower gift book novel letter fruit cake pen hat umbrella |
"""  # noqa: E501
