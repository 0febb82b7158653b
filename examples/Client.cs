// One round of a game, for its backend: picks a level, places chests, gives a hint, checks the player's path.
//
// Client [BASE_URL]
//
// It needs no package: System.Net.Http and the DataContractJsonSerializer belong to .NET, Mono and Unity.
using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Runtime.Serialization.Json;
using System.Text;

// The fields that this client reads; the serializer skips all others.
public class Picked { public string recipe; public string seed; public decimal difficulty; }
public class Level { public int[] start; public int[] exit; public string[] rows; public Solution solution; }
public class Solution { public string moves; }
public class Spawns { public int[][] spawns; }
public class Hint { public int[] next; public int length; }
public class Verification { public bool reaches_exit; public FirstError first_error; }
public class FirstError { public string reason; }
public class Problem { public string detail; }

class Client {
    static readonly HttpClient http = new HttpClient();

    static T Read<T>(HttpResponseMessage response) {
        var body = response.Content.ReadAsByteArrayAsync().Result;
        // a problem document says what is wrong and how to correct it
        if (!response.IsSuccessStatusCode) throw new Exception(Parse<Problem>(body).detail);
        return Parse<T>(body);
    }

    static T Parse<T>(byte[] json) {
        return (T)new DataContractJsonSerializer(typeof(T)).ReadObject(new MemoryStream(json));
    }

    static T Get<T>(string target) {
        return Read<T>(http.GetAsync(target).Result);
    }

    static T Post<T>(string target, string json) {
        return Read<T>(http.PostAsync(target, new StringContent(json, Encoding.UTF8, "application/json")).Result);
    }

    static void Main(string[] arguments) {
        http.BaseAddress = new Uri(arguments.Length > 0 ? arguments[0] : "http://localhost:8080");

        var picked = Get<Picked>("/maze/pick?algo=dfs&size=15&seed=cave&difficulty=0.2");
        var recipe = picked.recipe; // all that the backend stores
        Console.WriteLine($"seed {picked.seed} difficulty {picked.difficulty.ToString(CultureInfo.InvariantCulture)}");

        var level = Get<Level>($"/maze?{recipe}&grid=rows&path=moves");
        var chests = Get<Spawns>($"/maze/spawns?{recipe}&count=3&kind=dead_end").spawns;
        var rows = level.rows.Select(row => row.ToCharArray()).ToArray();
        rows[level.start[1]][level.start[0]] = 'S';
        rows[level.exit[1]][level.exit[0]] = 'E';
        foreach (var chest in chests) rows[chest[1]][chest[0]] = '$';
        Console.WriteLine(string.Join("\n", rows.Select(row => new string(row))));

        var hint = Get<Hint>($"/maze/path?{recipe}&from={chests[0][0]},{chests[0][1]}&path=none");
        Console.WriteLine(
            $"from the first chest step to {hint.next[0]} {hint.next[1]} steps to the exit {hint.length}");

        foreach (var moves in new[] { level.solution.moves, "U" }) {
            var result = Post<Verification>("/maze/verify", $"{{\"recipe\":\"{recipe}\",\"moves\":\"{moves}\"}}");
            Console.WriteLine(result.reaches_exit ? "reaches the exit" : result.first_error.reason);
        }
    }
}
